#include "tests/conformance/communicator/waiting_communicator.h"

#include <memory>
#include <utility>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

size_t BytesOf(int64_t count, const Reduction& reduction) {
  return static_cast<size_t>(count * ByteSize(reduction.element_type()));
}

}  // namespace

absl::Status WaitingCommunicator::Run(absl::Span<const std::byte> operand,
                                      absl::Span<std::byte> result,
                                      const Enqueue& enqueue) {
  ASSIGN_OR_RETURN(const std::shared_ptr<DeviceMemory> from,
                   device_.Allocate(static_cast<int64_t>(operand.size())));
  ASSIGN_OR_RETURN(const std::shared_ptr<DeviceMemory> to,
                   device_.Allocate(static_cast<int64_t>(result.size())));
  FirstFailure scope;
  queue_.CopyFromHost(scope, from->address(), operand.data());
  queue_.CopyFromHost(scope, to->address(), result.data());
  const absl::Status status = enqueue(scope, from->address(), to->address());
  if (!status.ok()) scope.Fail(status);
  queue_.CopyToHost(scope, result.data(), to->address());
  const std::shared_ptr<DeviceEvent> done = queue_.Record(scope);
  return done == nullptr ? absl::OkStatus() : done->Await();
}

absl::Status WaitingCommunicator::AllReduce(const CollectiveCall& call,
                                            const std::byte* operand,
                                            std::byte* result, int64_t count,
                                            const Reduction& reduction) {
  return Run({operand, BytesOf(count, reduction)},
             {result, BytesOf(count, reduction)},
             [&](WorkScope& scope, DeviceAddress from, DeviceAddress to) {
               return communicator_.AllReduce(queue_, scope, call, from, to,
                                              count, reduction);
             });
}

absl::Status WaitingCommunicator::ReduceScatter(const CollectiveCall& call,
                                                const std::byte* operand,
                                                std::byte* result,
                                                int64_t chunk_count,
                                                const Reduction& reduction) {
  return Run({operand, BytesOf(chunk_count, reduction) * key().size()},
             {result, BytesOf(chunk_count, reduction)},
             [&](WorkScope& scope, DeviceAddress from, DeviceAddress to) {
               return communicator_.ReduceScatter(queue_, scope, call, from, to,
                                                  chunk_count, reduction);
             });
}

absl::Status WaitingCommunicator::AllGather(const CollectiveCall& call,
                                            absl::Span<const std::byte> operand,
                                            absl::Span<std::byte> result) {
  return Run(operand, result,
             [&](WorkScope& scope, DeviceAddress from, DeviceAddress to) {
               return communicator_.AllGather(queue_, scope, call, from, to);
             });
}

absl::Status WaitingCommunicator::AllToAll(const CollectiveCall& call,
                                           absl::Span<const std::byte> operand,
                                           absl::Span<std::byte> result) {
  return Run(operand, result,
             [&](WorkScope& scope, DeviceAddress from, DeviceAddress to) {
               return communicator_.AllToAll(queue_, scope, call, from, to);
             });
}

absl::Status WaitingCommunicator::Permute(const CollectiveCall& call,
                                          std::optional<int> source,
                                          std::vector<int> targets,
                                          absl::Span<const std::byte> operand,
                                          absl::Span<std::byte> result) {
  return Run(operand, result,
             [&](WorkScope& scope, DeviceAddress from, DeviceAddress to) {
               return communicator_.Permute(queue_, scope, call, source,
                                            std::move(targets), from, to);
             });
}

absl::Status WaitingCommunicator::Broadcast(const CollectiveCall& call,
                                            int root,
                                            absl::Span<const std::byte> operand,
                                            absl::Span<std::byte> result) {
  return Run(operand, result,
             [&](WorkScope& scope, DeviceAddress from, DeviceAddress to) {
               return communicator_.Broadcast(queue_, scope, call, root, from,
                                              to);
             });
}

absl::Status WaitingCommunicator::RaggedAllToAll(
    const CollectiveCall& call, std::shared_ptr<const RaggedSlices> slices,
    absl::Span<const std::byte> operand, absl::Span<std::byte> result) {
  return Run(operand, result,
             [&](WorkScope& scope, DeviceAddress from, DeviceAddress to) {
               return communicator_.RaggedAllToAll(queue_, scope, call,
                                                   std::move(slices), from, to);
             });
}

}  // namespace lockstep::internal
