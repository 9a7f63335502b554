#ifndef LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_WAITING_COMMUNICATOR_H_
#define LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_WAITING_COMMUNICATOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/collectives/communicator.h"
#include "runtime/devices/local_device.h"

namespace lockstep::internal {

// The Communicator under test, on values of the host: each call puts its
// operand and the former content of its result on a device, queues the
// collective, waits, and fetches the result. Borrows all.
class WaitingCommunicator {
 public:
  WaitingCommunicator(Communicator& communicator, LocalDevice& device,
                      DeviceQueue& queue)
      : communicator_(communicator), device_(device), queue_(queue) {}
  // The same on another endpoint.
  WaitingCommunicator Of(Communicator& communicator) const {
    return WaitingCommunicator(communicator, device_, queue_);
  }

  const CliqueKey& key() const { return communicator_.key(); }
  int rank() const { return communicator_.rank(); }

  absl::Status AllReduce(const CollectiveCall& call, const std::byte* operand,
                         std::byte* result, int64_t count,
                         const Reduction& reduction);
  absl::Status ReduceScatter(const CollectiveCall& call,
                             const std::byte* operand, std::byte* result,
                             int64_t chunk_count, const Reduction& reduction);
  absl::Status AllGather(const CollectiveCall& call,
                         absl::Span<const std::byte> operand,
                         absl::Span<std::byte> result);
  absl::Status AllToAll(const CollectiveCall& call,
                        absl::Span<const std::byte> operand,
                        absl::Span<std::byte> result);
  absl::Status Permute(const CollectiveCall& call, std::optional<int> source,
                       std::vector<int> targets,
                       absl::Span<const std::byte> operand,
                       absl::Span<std::byte> result);
  absl::Status Broadcast(const CollectiveCall& call, int root,
                         absl::Span<const std::byte> operand,
                         absl::Span<std::byte> result);
  absl::Status RaggedAllToAll(const CollectiveCall& call,
                              std::shared_ptr<const RaggedSlices> slices,
                              absl::Span<const std::byte> operand,
                              absl::Span<std::byte> result);

 private:
  using Enqueue = std::function<absl::Status(
      WorkScope& scope, DeviceAddress operand, DeviceAddress result)>;
  absl::Status Run(absl::Span<const std::byte> operand,
                   absl::Span<std::byte> result, const Enqueue& enqueue);

  Communicator& communicator_;
  LocalDevice& device_;
  DeviceQueue& queue_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_WAITING_COMMUNICATOR_H_
