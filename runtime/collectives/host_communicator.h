#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HOST_COMMUNICATOR_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HOST_COMMUNICATOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/collectives/communicator.h"
#include "runtime/collectives/ragged_slices.h"
#include "runtime/collectives/tensor_parts.h"

namespace lockstep::internal {

// What one rank brings to AllReduceTogether.
struct RankOperand {
  int rank = 0;
  const std::byte* operand = nullptr;
  std::byte* result = nullptr;
};

// An endpoint whose collectives the host runs, on its own memory: the calls
// that end in OnHost wait. As a Communicator it runs them when the queue comes
// to them: on the caller's thread where the queue is inline, and on copies
// where the memory is not the host's.
//
// A call that waits returns when this rank's result is complete and its operand
// may be overwritten. Each rank calls from a thread of its own, or several
// together (AllReduceTogether). Two threads must not use one endpoint at a
// time. Arguments, sizes and errors are those of Communicator; sizes are in
// bytes where not said otherwise. The call's observer hears of those on queues
// only.
class HostCommunicator : public Communicator {
 public:
  HostCommunicator* on_host() final { return this; }

  absl::Status AllReduce(DeviceQueue& queue, WorkScope& scope,
                         const CollectiveCall& call, DeviceAddress operand,
                         DeviceAddress result, int64_t count,
                         const Reduction& reduction) final;
  absl::Status ReduceScatter(DeviceQueue& queue, WorkScope& scope,
                             const CollectiveCall& call, DeviceAddress operand,
                             DeviceAddress result, int64_t chunk_count,
                             const Reduction& reduction) final;
  absl::Status AllGather(DeviceQueue& queue, WorkScope& scope,
                         const CollectiveCall& call, DeviceAddress operand,
                         DeviceAddress result) final;
  absl::Status AllToAll(DeviceQueue& queue, WorkScope& scope,
                        const CollectiveCall& call, DeviceAddress operand,
                        DeviceAddress result) final;
  // The same of tensors as they are: the chunks are the parts of the operand,
  // and become those of the result.
  absl::Status AllToAllOfParts(DeviceQueue& queue, WorkScope& scope,
                               const CollectiveCall& call,
                               const TensorParts& sent,
                               const TensorParts& received,
                               DeviceAddress operand, DeviceAddress result);
  absl::Status Permute(DeviceQueue& queue, WorkScope& scope,
                       const CollectiveCall& call, std::optional<int> source,
                       std::vector<int> targets, DeviceAddress operand,
                       DeviceAddress result) final;
  absl::Status Broadcast(DeviceQueue& queue, WorkScope& scope,
                         const CollectiveCall& call, int root,
                         DeviceAddress operand, DeviceAddress result) final;
  absl::Status RaggedAllToAll(DeviceQueue& queue, WorkScope& scope,
                              const CollectiveCall& call,
                              std::shared_ptr<const RaggedSlices> slices,
                              DeviceAddress operand,
                              DeviceAddress result) final;

  virtual absl::Status AllReduceOnHost(const CollectiveCall& call,
                                       const std::byte* operand,
                                       std::byte* result, int64_t count,
                                       const Reduction& reduction) = 0;
  // The same for several ranks of this process from one thread; this endpoint's
  // own rank is one of them.
  virtual absl::Status AllReduceTogether(const CollectiveCall& call,
                                         absl::Span<const RankOperand> ranks,
                                         int64_t count,
                                         const Reduction& reduction) = 0;
  virtual absl::Status ReduceScatterOnHost(const CollectiveCall& call,
                                           const std::byte* operand,
                                           std::byte* result,
                                           int64_t chunk_count,
                                           const Reduction& reduction) = 0;
  virtual absl::Status AllGatherOnHost(const CollectiveCall& call,
                                       absl::Span<const std::byte> operand,
                                       absl::Span<std::byte> result) = 0;
  // Of packed parts.
  absl::Status AllToAllOnHost(const CollectiveCall& call,
                              absl::Span<const std::byte> operand,
                              absl::Span<std::byte> result);
  virtual absl::Status AllToAllOfPartsOnHost(
      const CollectiveCall& call, const TensorParts& sent,
      const TensorParts& received, absl::Span<const std::byte> operand,
      absl::Span<std::byte> result) = 0;
  virtual absl::Status PermuteOnHost(const CollectiveCall& call,
                                     std::optional<int> source,
                                     absl::Span<const int> targets,
                                     absl::Span<const std::byte> operand,
                                     absl::Span<std::byte> result) = 0;
  virtual absl::Status BroadcastOnHost(const CollectiveCall& call, int root,
                                       absl::Span<const std::byte> operand,
                                       absl::Span<std::byte> result) = 0;
  virtual absl::Status RaggedAllToAllOnHost(const CollectiveCall& call,
                                            const RaggedSlices& slices,
                                            absl::Span<const std::byte> operand,
                                            absl::Span<std::byte> result) = 0;

 private:
  // What a collective does with its result: writes all of it, or parts.
  enum class Writes { kAll, kParts };

  // Puts `collective`(call, operand, result), on bytes of the host, on the
  // queue.
  template <typename Collective>
  absl::Status Enqueue(DeviceQueue& queue, WorkScope& scope,
                       const CollectiveCall& call, DeviceAddress operand,
                       DeviceAddress result, Collective collective,
                       Writes writes = Writes::kAll);
  template <typename Collective>
  absl::Status Run(const CollectiveCall& call,
                   absl::Span<const std::byte> operand,
                   absl::Span<std::byte> result, const Collective& collective);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HOST_COMMUNICATOR_H_
