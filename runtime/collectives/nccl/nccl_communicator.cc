#include "runtime/collectives/nccl/nccl_communicator.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/types/span.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/collectives/call_mismatch.h"
#include "runtime/collectives/nccl/nccl_reduction.h"
#include "runtime/cuda/cuda_status.h"
#include "runtime/devices/cuda/cuda_device.h"

namespace lockstep::internal {
namespace {

using cuda::CUstream;
using cuda::Nccl;
using cuda::ncclComm_t;
using cuda::ncclResult_t;

// What all members bring is compared as numbers of which the largest and the
// smallest are asked for: the smallest is the complement of the largest
// complement.
absl::StatusOr<bool> AllHave(HostCommunicator& host, const CollectiveCall& call,
                             const std::vector<uint64_t>& own) {
  static const Reduction* maximum =
      MakeReduction(ReductionKind::kMaximum, ElementType::kU64)
          .value()
          .release();
  std::vector<uint64_t> values = own;
  for (uint64_t value : own) values.push_back(~value);
  std::vector<uint64_t> largest(values.size());
  RETURN_IF_ERROR(host.AllReduceOnHost(
      call, reinterpret_cast<const std::byte*>(values.data()),
      reinterpret_cast<std::byte*>(largest.data()),
      static_cast<int64_t>(values.size()), *maximum));
  return largest == values;
}

// Of a platform whose memory NCCL does not know.
bool IsElsewhere(DeviceQueue& queue) { return AsCudaQueue(queue) == nullptr; }

// A collective among one.
absl::Status Keep(DeviceQueue& queue, WorkScope& scope, DeviceAddress operand,
                  DeviceAddress result) {
  if (result.size() > 0) queue.Copy(scope, result, operand);
  return absl::OkStatus();
}

// Whoever has aborted fails its launch first, and that names the cause; NCCL
// knows only that somebody is gone. It is believed after this time.
constexpr absl::Duration kErrorTime = absl::Seconds(1);

const void* From(DeviceAddress address) { return address.device_bytes(); }
void* To(DeviceAddress address) { return address.device_bytes(); }
size_t Bytes(DeviceAddress address) {
  return static_cast<size_t>(address.size());
}

uint64_t DigestOf(const cuda::ncclUniqueId& id) {
  // Not 0, which is nothing.
  return XXH3_64bits(id.internal, sizeof(id.internal)) | 1;
}

}  // namespace

struct NcclCommunicator::Work {
  Work(const CollectiveCall& call, WorkScope& scope)
      : call(call), scope_(&scope) {}

  // Nothing any more once it is over.
  void FailScope(const absl::Status& cause) {
    absl::MutexLock lock(&mutex_);
    if (scope_ != nullptr) scope_->Fail(cause);
  }
  void SetOver() {
    absl::MutexLock lock(&mutex_);
    scope_ = nullptr;
  }

  const CollectiveCall call;
  std::shared_ptr<NcclRank> rank;
  bool has_entered = false;  // as the observer knows; by the queue's order
  CancellationToken::Registration registration;
  absl::Status cancelled;  // guarded by the endpoint's mutex_

 private:
  absl::Mutex mutex_;
  WorkScope* scope_ ABSL_GUARDED_BY(mutex_);
};

NcclCommunicator::NcclCommunicator(const Options& options,
                                   std::shared_ptr<Communicator> starts,
                                   std::shared_ptr<Communicator> calls)
    : options_(options), starts_(std::move(starts)), calls_(std::move(calls)) {
  LOCKSTEP_CHECK(starts_->on_host() != nullptr && calls_->on_host() != nullptr);
}

NcclCommunicator::~NcclCommunicator() {
  std::thread ending;
  {
    absl::MutexLock lock(&mutex_);
    ending.swap(ending_);
  }
  if (ending.joinable()) ending.join();
}

absl::Status NcclCommunicator::Prepare(DeviceQueue& queue,
                                       const CollectiveCall& call) {
  CudaQueue* const cuda_queue = AsCudaQueue(queue);
  if (cuda_queue == nullptr || is_alone()) return absl::OkStatus();
  std::vector<uint64_t> own;
  std::shared_ptr<NcclRank> rank;
  {
    absl::MutexLock lock(&mutex_);
    own = {generation_, call_count_};
    rank = rank_;
  }
  if (rank != nullptr && !rank->status().ok()) own[0] = 0;
  CollectiveCall start = call;
  start.number = 0;
  // Every member decides by the same numbers, and not by what it has itself.
  ASSIGN_OR_RETURN(const bool all_have,
                   AllHave(*starts_->on_host(), start, own));
  if (all_have && own[0] != 0) return absl::OkStatus();
  return JoinAnew(cuda_queue->device(), call);
}

absl::Status NcclCommunicator::JoinAnew(CudaDevice& device,
                                        const CollectiveCall& call) {
  // What is on streams now ends first: each launch there is completed, or
  // cancelled by whoever has failed in it.
  RETURN_IF_ERROR(AwaitIdle(call));
  std::shared_ptr<NcclRank> old;
  std::thread ending;
  {
    absl::MutexLock lock(&mutex_);
    old = std::move(rank_);
    generation_ = 0;
    ending.swap(ending_);
  }
  if (ending.joinable()) ending.join();
  if (old != nullptr) old->Abort();

  cuda::ncclUniqueId id = {};
  if (rank() == 0) {
    RETURN_IF_ERROR(cuda::NcclStatus(options_.nccl->ncclGetUniqueId(&id),
                                     "ncclGetUniqueId"));
  }
  CollectiveCall broadcast = call;
  broadcast.number = 1;
  cuda::ncclUniqueId shared = {};
  RETURN_IF_ERROR(starts_->on_host()->BroadcastOnHost(
      broadcast, /*root=*/0,
      absl::MakeConstSpan(reinterpret_cast<const std::byte*>(&id), sizeof(id)),
      absl::MakeSpan(reinterpret_cast<std::byte*>(&shared), sizeof(shared))));
  absl::StatusOr<std::shared_ptr<NcclRank>> joined = NcclRank::Create(
      *options_.nccl, device, shared, key().size(), rank(), *call.cancellation);
  if (!joined.ok()) {
    if (call.cancellation->is_cancelled()) return call.cancellation->status();
    return Annotate(joined.status(),
                    absl::StrCat("joining the communicator of devices ",
                                 key().ToString(), " for ", Describe(call)));
  }
  // Nobody goes on, and perhaps fails and aborts, while others still join: they
  // would hear of a lost rank before they hear of the cause.
  CollectiveCall end = call;
  end.number = 2;
  RETURN_IF_ERROR(
      AllHave(*starts_->on_host(), end, {DigestOf(shared)}).status());
  absl::MutexLock lock(&mutex_);
  rank_ = *std::move(joined);
  error_since_ = absl::InfiniteFuture();
  generation_ = DigestOf(shared);
  call_count_ = 0;
  return absl::OkStatus();
}

absl::Status NcclCommunicator::AwaitIdle(const CollectiveCall& call) {
  bool is_cancelled = false;
  const auto registration = call.cancellation->OnCancel([&] {
    absl::MutexLock lock(&mutex_);
    is_cancelled = true;
  });
  {
    absl::MutexLock lock(&mutex_);
    auto is_over = [&]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      return work_.empty() || is_cancelled;
    };
    mutex_.Await(absl::Condition(&is_over));
  }
  return call.cancellation->status();
}

absl::StatusOr<NcclCommunicator::WorkPtr> NcclCommunicator::Begin(
    WorkScope& scope, const CollectiveCall& call) {
  auto work = std::make_shared<Work>(call, scope);
  {
    absl::MutexLock lock(&mutex_);
    if (rank_ == nullptr) {
      if (!ended_.ok()) return ended_;
      return absl::FailedPreconditionError(
          absl::StrCat(Describe(call), ": no communicator of devices ",
                       key().ToString(), " was prepared"));
    }
    work->rank = rank_;
    ++call_count_;
    work_.push_back(work);
  }
  // Until Finish, which always comes.
  work->registration = call.cancellation->OnCancel(
      [self = shared_from_this(), work, token = call.cancellation] {
        self->Cancel(work, token->status());
      });
  return work;
}

absl::Status NcclCommunicator::Enter(Work& work) {
  if (work.call.observer == nullptr) return absl::OkStatus();
  work.has_entered = true;
  return work.call.observer->OnEnter(key(), work.call);
}

absl::Status NcclCommunicator::CompareOnHost(const CollectiveCall& call,
                                             const Operation& operation) {
  ASSIGN_OR_RETURN(const bool is_same,
                   AllHave(*calls_->on_host(), call,
                           {static_cast<uint64_t>(operation.operand_bytes),
                            static_cast<uint64_t>(operation.result_bytes)}));
  if (is_same) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(
      Describe(call), ": the members of ", key().ToString(),
      " bring operands of different sizes; this one ", operation.operand_bytes,
      " bytes for ", operation.result_bytes));
}

absl::Status NcclCommunicator::Put(DeviceQueue& queue, WorkScope& scope,
                                   const CollectiveCall& call,
                                   Operation operation) {
  CudaQueue& cuda_queue = *AsCudaQueue(queue);
  ASSIGN_OR_RETURN(const WorkPtr work, Begin(scope, call));
  const auto self = shared_from_this();
  if (call.is_conditional) {
    queue.CallHost(scope, [self, work, operation] {
      RETURN_IF_ERROR(self->Enter(*work));
      return self->CompareOnHost(work->call, operation);
    });
  } else {
    queue.Record(scope)->OnReady([self, work](const absl::Status& status) {
      if (!status.ok()) return;
      const absl::Status entered = self->Enter(*work);
      if (entered.ok()) return;
      work->FailScope(entered);
      self->Cancel(work, entered);
    });
  }
  cuda_queue.Enqueue(scope, [work, operation = std::move(operation)](
                                const cuda::CudaDriver&, CUstream stream) {
    return Annotate(work->rank->Put(operation.name,
                                    [&](const Nccl& nccl, ncclComm_t comm) {
                                      return operation.calls(nccl, comm,
                                                             stream);
                                    }),
                    Describe(work->call));
  });
  queue.Record(scope)->OnReady(
      [self, work](const absl::Status& status) { self->Finish(work, status); });
  return absl::OkStatus();
}

void NcclCommunicator::Finish(const WorkPtr& work, const absl::Status& status) {
  work->registration.Reset();
  work->SetOver();
  if (work->has_entered) work->call.observer->OnLeave(work->call, status);
  absl::MutexLock lock(&mutex_);
  work_.remove(work);
  // It may have been skipped here and not elsewhere.
  if (!status.ok() && work->rank == rank_) return EndRank(status);
  EndRankIfStuck();
}

void NcclCommunicator::Cancel(const WorkPtr& work, const absl::Status& cause) {
  absl::MutexLock lock(&mutex_);
  work->cancelled = cause;
  EndRankIfStuck();
}

void NcclCommunicator::EndRankIfStuck() {
  if (work_.empty() || work_.front()->rank != rank_) return;
  // What comes before the cancelled launch is completed by all its members.
  if (!work_.front()->cancelled.ok()) EndRank(work_.front()->cancelled);
}

void NcclCommunicator::EndRank(const absl::Status& cause) {
  if (rank_ == nullptr) return;
  ended_ = Annotate(cause, absl::StrCat("the communicator of devices ",
                                        key().ToString(), " has ended"));
  generation_ = 0;
  // What is behind waits for no better cause than this one.
  absl::Status behind = ended_;
  if (absl::IsUnavailable(behind)) {
    behind = absl::AbortedError(ended_.message());
    ended_.ForEachPayload(
        [&](absl::string_view url, const absl::Cord& payload) {
          behind.SetPayload(url, payload);
        });
  }
  std::vector<WorkPtr> work(work_.begin(), work_.end());
  // On a thread of its own: whoever ends it must not wait, neither for those
  // who learn of the failure nor for kernels to leave the device. The scopes
  // first, or what the kernels leave behind would pass for results.
  ending_ = std::thread(
      [cause, behind, work = std::move(work), rank = std::move(rank_)] {
        for (size_t i = 0; i < work.size(); ++i) {
          if (work[i]->rank == rank)
            work[i]->FailScope(i == 0 ? cause : behind);
        }
        rank->Abort();
      });
  rank_ = nullptr;
}

void NcclCommunicator::CheckForErrors() {
  std::shared_ptr<NcclRank> rank;
  {
    absl::MutexLock lock(&mutex_);
    if (work_.empty()) return;
    rank = rank_;
  }
  if (rank == nullptr) return;
  const absl::Status status = rank->status();
  absl::MutexLock lock(&mutex_);
  if (rank_ != rank) return;
  if (status.ok()) {
    error_since_ = absl::InfiniteFuture();
    return;
  }
  error_since_ = std::min(error_since_, absl::Now());
  if (absl::Now() - error_since_ >= kErrorTime) EndRank(status);
}

std::optional<NcclReduction> NcclCommunicator::NativeFor(
    DeviceQueue& queue, const Reduction& reduction) const {
  if (IsElsewhere(queue)) return std::nullopt;
  const std::optional<NcclReduction> native = NcclReductionOf(reduction);
  if (!native.has_value() || !options_.is_ordered) return native;
  // What has the same bits in every order.
  const ElementType type = reduction.element_type();
  return IsInteger(type) || type == ElementType::kPred ? native : std::nullopt;
}

absl::Status NcclCommunicator::AllReduce(DeviceQueue& queue, WorkScope& scope,
                                         const CollectiveCall& call,
                                         DeviceAddress operand,
                                         DeviceAddress result, int64_t count,
                                         const Reduction& reduction) {
  const std::optional<NcclReduction> native = NativeFor(queue, reduction);
  if (!native.has_value()) {
    return calls_->AllReduce(queue, scope, call, operand, result, count,
                             reduction);
  }
  if (is_alone()) return Keep(queue, scope, operand, result);
  return Put(queue, scope, call,
             {"ncclAllReduce", operand.size(), result.size(),
              [=](const Nccl& nccl, ncclComm_t comm, CUstream stream) {
                return nccl.ncclAllReduce(
                    From(operand), To(result),
                    static_cast<size_t>(count * native->numbers_per_element),
                    native->type, native->op, comm, stream);
              }});
}

absl::Status NcclCommunicator::ReduceScatter(
    DeviceQueue& queue, WorkScope& scope, const CollectiveCall& call,
    DeviceAddress operand, DeviceAddress result, int64_t chunk_count,
    const Reduction& reduction) {
  const std::optional<NcclReduction> native = NativeFor(queue, reduction);
  if (!native.has_value()) {
    return calls_->ReduceScatter(queue, scope, call, operand, result,
                                 chunk_count, reduction);
  }
  if (is_alone()) return Keep(queue, scope, operand, result);
  return Put(
      queue, scope, call,
      {"ncclReduceScatter", operand.size(), result.size(),
       [=](const Nccl& nccl, ncclComm_t comm, CUstream stream) {
         return nccl.ncclReduceScatter(
             From(operand), To(result),
             static_cast<size_t>(chunk_count * native->numbers_per_element),
             native->type, native->op, comm, stream);
       }});
}

absl::Status NcclCommunicator::AllGather(DeviceQueue& queue, WorkScope& scope,
                                         const CollectiveCall& call,
                                         DeviceAddress operand,
                                         DeviceAddress result) {
  if (IsElsewhere(queue)) {
    return calls_->AllGather(queue, scope, call, operand, result);
  }
  if (is_alone()) return Keep(queue, scope, operand, result);
  return Put(queue, scope, call,
             {"ncclAllGather", operand.size(), result.size(),
              [=](const Nccl& nccl, ncclComm_t comm, CUstream stream) {
                return nccl.ncclAllGather(From(operand), To(result),
                                          Bytes(operand), cuda::ncclInt8, comm,
                                          stream);
              }});
}

absl::Status NcclCommunicator::AllToAll(DeviceQueue& queue, WorkScope& scope,
                                        const CollectiveCall& call,
                                        DeviceAddress operand,
                                        DeviceAddress result) {
  if (IsElsewhere(queue)) {
    return calls_->AllToAll(queue, scope, call, operand, result);
  }
  if (is_alone()) return Keep(queue, scope, operand, result);
  const int ranks = key().size();
  return Put(queue, scope, call,
             {"ncclSend and ncclRecv", operand.size(), result.size(),
              [=](const Nccl& nccl, ncclComm_t comm, CUstream stream) {
                const int64_t chunk = operand.size() / ranks;
                for (int peer = 0; peer < ranks; ++peer) {
                  const DeviceAddress from = operand.Slice(peer * chunk, chunk);
                  const DeviceAddress to = result.Slice(peer * chunk, chunk);
                  ncclResult_t put =
                      nccl.ncclSend(From(from), Bytes(from), cuda::ncclInt8,
                                    peer, comm, stream);
                  if (put != cuda::ncclSuccess) return put;
                  put = nccl.ncclRecv(To(to), Bytes(to), cuda::ncclInt8, peer,
                                      comm, stream);
                  if (put != cuda::ncclSuccess) return put;
                }
                return cuda::ncclSuccess;
              }});
}

absl::Status NcclCommunicator::Permute(DeviceQueue& queue, WorkScope& scope,
                                       const CollectiveCall& call,
                                       std::optional<int> source,
                                       std::vector<int> targets,
                                       DeviceAddress operand,
                                       DeviceAddress result) {
  if (IsElsewhere(queue)) {
    return calls_->Permute(queue, scope, call, source, std::move(targets),
                           operand, result);
  }
  if (!source.has_value() && result.size() > 0) {
    queue.Fill(scope, result, std::byte{0});
  }
  if (is_alone()) {
    return source.has_value() ? Keep(queue, scope, operand, result)
                              : absl::OkStatus();
  }
  return Put(queue, scope, call,
             {"ncclSend and ncclRecv", operand.size(), result.size(),
              [=, targets = std::move(targets)](
                  const Nccl& nccl, ncclComm_t comm, CUstream stream) {
                for (int target : targets) {
                  const ncclResult_t put =
                      nccl.ncclSend(From(operand), Bytes(operand),
                                    cuda::ncclInt8, target, comm, stream);
                  if (put != cuda::ncclSuccess) return put;
                }
                if (!source.has_value()) return cuda::ncclSuccess;
                return nccl.ncclRecv(To(result), Bytes(result), cuda::ncclInt8,
                                     *source, comm, stream);
              }});
}

absl::Status NcclCommunicator::Broadcast(DeviceQueue& queue, WorkScope& scope,
                                         const CollectiveCall& call, int root,
                                         DeviceAddress operand,
                                         DeviceAddress result) {
  if (IsElsewhere(queue)) {
    return calls_->Broadcast(queue, scope, call, root, operand, result);
  }
  if (is_alone()) return Keep(queue, scope, operand, result);
  return Put(queue, scope, call,
             {"ncclBroadcast", operand.size(), result.size(),
              [=](const Nccl& nccl, ncclComm_t comm, CUstream stream) {
                return nccl.ncclBroadcast(From(operand), To(result),
                                          Bytes(operand), cuda::ncclInt8, root,
                                          comm, stream);
              }});
}

absl::Status NcclCommunicator::RaggedAllToAll(
    DeviceQueue& queue, WorkScope& scope, const CollectiveCall& call,
    std::shared_ptr<const RaggedSlices> slices, DeviceAddress operand,
    DeviceAddress result) {
  if (IsElsewhere(queue)) {
    return calls_->RaggedAllToAll(queue, scope, call, std::move(slices),
                                  operand, result);
  }
  const int ranks = key().size();
  const int own = rank();
  if (is_alone()) {
    for (const RaggedSlices::Slice& slice : slices->Between(own, own)) {
      queue.Copy(scope, result.Slice(slice.to, slice.size),
                 operand.Slice(slice.from, slice.size));
    }
    return absl::OkStatus();
  }
  return Put(
      queue, scope, call,
      {"ncclSend and ncclRecv", operand.size(), result.size(),
       [=, slices = std::move(slices)](const Nccl& nccl, ncclComm_t comm,
                                       CUstream stream) {
         // Slices of one pair meet in their order.
         for (int peer = 0; peer < ranks; ++peer) {
           for (const RaggedSlices::Slice& slice : slices->Between(own, peer)) {
             const ncclResult_t put =
                 nccl.ncclSend(From(operand.Slice(slice.from, slice.size)),
                               static_cast<size_t>(slice.size), cuda::ncclInt8,
                               peer, comm, stream);
             if (put != cuda::ncclSuccess) return put;
           }
           for (const RaggedSlices::Slice& slice : slices->Between(peer, own)) {
             const ncclResult_t put =
                 nccl.ncclRecv(To(result.Slice(slice.to, slice.size)),
                               static_cast<size_t>(slice.size), cuda::ncclInt8,
                               peer, comm, stream);
             if (put != cuda::ncclSuccess) return put;
           }
         }
         return cuda::ncclSuccess;
       }});
}

}  // namespace lockstep::internal
