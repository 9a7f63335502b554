#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_RENDEZVOUS_COMMUNICATOR_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_RENDEZVOUS_COMMUNICATOR_H_

#include <memory>
#include <optional>
#include <utility>

#include "runtime/collectives/arrival.h"
#include "runtime/collectives/host_communicator.h"
#include "runtime/collectives/rendezvous.h"

namespace lockstep::internal {

// An endpoint whose operations are arrivals at a rendezvous. Threads: as
// HostCommunicator.
class RendezvousCommunicator : public HostCommunicator {
 public:
  // `owner` is kept alive with this endpoint: it owns `rendezvous` and what
  // that runs on.
  RendezvousCommunicator(CliqueKey key, int rank, Rendezvous* rendezvous,
                         std::shared_ptr<void> owner)
      : key_(std::move(key)),
        rank_(rank),
        owner_(std::move(owner)),
        rendezvous_(rendezvous) {}

  const CliqueKey& key() const override { return key_; }
  int rank() const override { return rank_; }

  absl::Status AllReduceOnHost(const CollectiveCall& call,
                               const std::byte* operand, std::byte* result,
                               int64_t count,
                               const Reduction& reduction) override;
  absl::Status AllReduceTogether(const CollectiveCall& call,
                                 absl::Span<const RankOperand> ranks,
                                 int64_t count,
                                 const Reduction& reduction) override;
  absl::Status ReduceScatterOnHost(const CollectiveCall& call,
                                   const std::byte* operand, std::byte* result,
                                   int64_t chunk_count,
                                   const Reduction& reduction) override;
  absl::Status AllGatherOnHost(const CollectiveCall& call,
                               absl::Span<const std::byte> operand,
                               absl::Span<std::byte> result) override;
  absl::Status AllToAllOfPartsOnHost(const CollectiveCall& call,
                                     const TensorParts& sent,
                                     const TensorParts& received,
                                     absl::Span<const std::byte> operand,
                                     absl::Span<std::byte> result) override;
  absl::Status PermuteOnHost(const CollectiveCall& call,
                             std::optional<int> source,
                             absl::Span<const int> targets,
                             absl::Span<const std::byte> operand,
                             absl::Span<std::byte> result) override;
  absl::Status BroadcastOnHost(const CollectiveCall& call, int root,
                               absl::Span<const std::byte> operand,
                               absl::Span<std::byte> result) override;
  absl::Status RaggedAllToAllOnHost(const CollectiveCall& call,
                                    const RaggedSlices& slices,
                                    absl::Span<const std::byte> operand,
                                    absl::Span<std::byte> result) override;

 private:
  Arrival MakeArrival(const CollectiveCall& call, CollectiveKind kind) const;

  const CliqueKey key_;
  const int rank_;
  const std::shared_ptr<void> owner_;
  Rendezvous* const rendezvous_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_RENDEZVOUS_COMMUNICATOR_H_
