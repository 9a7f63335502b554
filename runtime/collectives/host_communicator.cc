#include "runtime/collectives/host_communicator.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/quantity_text.h"
#include "runtime/base/scratch_memory.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

using OperandBytes = absl::Span<const std::byte>;
using ResultBytes = absl::Span<std::byte>;

ResultBytes HostBytes(DeviceAddress address) {
  return {address.host_bytes(), static_cast<size_t>(address.size())};
}

// Host memory for an operand and a result that lie elsewhere.
class Copies {
 public:
  // RESOURCE_EXHAUSTED.
  static absl::StatusOr<std::shared_ptr<Copies>> Create(
      const CollectiveCall& call, int64_t operand, int64_t result) {
    auto first = ScratchMemory::Allocate(operand);
    auto second = ScratchMemory::Allocate(result);
    if (!first.ok() || !second.ok()) {
      return absl::ResourceExhaustedError(
          absl::StrCat(call.description, " needs ", BytesText(operand + result),
                       " of host memory"));
    }
    auto copies = std::make_shared<Copies>();
    copies->operand_ = *std::move(first);
    copies->result_ = *std::move(second);
    return copies;
  }

  std::byte* operand() { return operand_.data(); }
  std::byte* result() { return result_.data(); }

 private:
  ScratchMemory operand_;
  ScratchMemory result_;
};

}  // namespace

template <typename Collective>
absl::Status HostCommunicator::Run(const CollectiveCall& call,
                                   OperandBytes operand, ResultBytes result,
                                   const Collective& collective) {
  if (call.observer == nullptr) return collective(call, operand, result);
  absl::Status status = call.observer->OnEnter(key(), call);
  if (status.ok()) status = collective(call, operand, result);
  call.observer->OnLeave(call, status);
  return status;
}

template <typename Collective>
absl::Status HostCommunicator::Enqueue(DeviceQueue& queue, WorkScope& scope,
                                       const CollectiveCall& call,
                                       DeviceAddress operand,
                                       DeviceAddress result,
                                       Collective collective, Writes writes) {
  if (operand.host_accessible() && result.host_accessible()) {
    if (queue.is_inline()) {
      return Run(call, HostBytes(operand), HostBytes(result), collective);
    }
    queue.CallHost(scope, [this, call, operand, result,
                           collective = std::move(collective)] {
      return Run(call, HostBytes(operand), HostBytes(result), collective);
    });
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(std::shared_ptr<Copies> copies,
                   Copies::Create(call, operand.size(), result.size()));
  if (operand.size() > 0) queue.CopyToHost(scope, copies->operand(), operand);
  if (writes == Writes::kParts && result.size() > 0) {
    queue.CopyToHost(scope, copies->result(), result);
  }
  queue.CallHost(
      scope,
      [this, call, operand = OperandBytes(copies->operand(), operand.size()),
       result = ResultBytes(copies->result(), result.size()),
       collective = std::move(collective)] {
        return Run(call, operand, result, collective);
      });
  if (result.size() > 0) queue.CopyFromHost(scope, result, copies->result());
  // The host's memory is used until the queue has come this far, which is after
  // this call; when it fails too.
  if (const std::shared_ptr<DeviceEvent> copied = queue.Record(scope)) {
    copied->OnReady([copies = std::move(copies)](const absl::Status&) {});
  }
  return absl::OkStatus();
}

absl::Status HostCommunicator::AllReduce(DeviceQueue& queue, WorkScope& scope,
                                         const CollectiveCall& call,
                                         DeviceAddress operand,
                                         DeviceAddress result, int64_t count,
                                         const Reduction& reduction) {
  const int64_t size = count * ByteSize(reduction.element_type());
  LOCKSTEP_CHECK(operand.size() == size && result.size() == size);
  return Enqueue(queue, scope, call, operand, result,
                 [this, count, &reduction](const CollectiveCall& call,
                                           OperandBytes from, ResultBytes to) {
                   return AllReduceOnHost(call, from.data(), to.data(), count,
                                          reduction);
                 });
}

absl::Status HostCommunicator::ReduceScatter(
    DeviceQueue& queue, WorkScope& scope, const CollectiveCall& call,
    DeviceAddress operand, DeviceAddress result, int64_t chunk_count,
    const Reduction& reduction) {
  const int64_t size = chunk_count * ByteSize(reduction.element_type());
  LOCKSTEP_CHECK(operand.size() == size * key().size() &&
                 result.size() == size);
  return Enqueue(
      queue, scope, call, operand, result,
      [this, chunk_count, &reduction](const CollectiveCall& call,
                                      OperandBytes from, ResultBytes to) {
        return ReduceScatterOnHost(call, from.data(), to.data(), chunk_count,
                                   reduction);
      });
}

absl::Status HostCommunicator::AllGather(DeviceQueue& queue, WorkScope& scope,
                                         const CollectiveCall& call,
                                         DeviceAddress operand,
                                         DeviceAddress result) {
  return Enqueue(
      queue, scope, call, operand, result,
      [this](const CollectiveCall& call, OperandBytes from, ResultBytes to) {
        return AllGatherOnHost(call, from, to);
      });
}

absl::Status HostCommunicator::AllToAll(DeviceQueue& queue, WorkScope& scope,
                                        const CollectiveCall& call,
                                        DeviceAddress operand,
                                        DeviceAddress result) {
  return Enqueue(
      queue, scope, call, operand, result,
      [this](const CollectiveCall& call, OperandBytes from, ResultBytes to) {
        return AllToAllOnHost(call, from, to);
      });
}

absl::Status HostCommunicator::AllToAllOfParts(
    DeviceQueue& queue, WorkScope& scope, const CollectiveCall& call,
    const TensorParts& sent, const TensorParts& received, DeviceAddress operand,
    DeviceAddress result) {
  return Enqueue(queue, scope, call, operand, result,
                 [this, sent, received](const CollectiveCall& call,
                                        OperandBytes from, ResultBytes to) {
                   return AllToAllOfPartsOnHost(call, sent, received, from, to);
                 });
}

absl::Status HostCommunicator::AllToAllOnHost(const CollectiveCall& call,
                                              OperandBytes operand,
                                              ResultBytes result) {
  const int64_t ranks = key().size();
  const TensorParts packed{1, ranks,
                           static_cast<int64_t>(operand.size()) / ranks};
  return AllToAllOfPartsOnHost(call, packed, packed, operand, result);
}

absl::Status HostCommunicator::Permute(DeviceQueue& queue, WorkScope& scope,
                                       const CollectiveCall& call,
                                       std::optional<int> source,
                                       std::vector<int> targets,
                                       DeviceAddress operand,
                                       DeviceAddress result) {
  return Enqueue(
      queue, scope, call, operand, result,
      [this, source, targets = std::move(targets)](
          const CollectiveCall& call, OperandBytes from, ResultBytes to) {
        return PermuteOnHost(call, source, targets, from, to);
      });
}

absl::Status HostCommunicator::Broadcast(DeviceQueue& queue, WorkScope& scope,
                                         const CollectiveCall& call, int root,
                                         DeviceAddress operand,
                                         DeviceAddress result) {
  return Enqueue(queue, scope, call, operand, result,
                 [this, root](const CollectiveCall& call, OperandBytes from,
                              ResultBytes to) {
                   return BroadcastOnHost(call, root, from, to);
                 });
}

absl::Status HostCommunicator::RaggedAllToAll(
    DeviceQueue& queue, WorkScope& scope, const CollectiveCall& call,
    std::shared_ptr<const RaggedSlices> slices, DeviceAddress operand,
    DeviceAddress result) {
  return Enqueue(
      queue, scope, call, operand, result,
      [this, slices = std::move(slices)](const CollectiveCall& call,
                                         OperandBytes from, ResultBytes to) {
        return RaggedAllToAllOnHost(call, *slices, from, to);
      },
      Writes::kParts);
}

}  // namespace lockstep::internal
