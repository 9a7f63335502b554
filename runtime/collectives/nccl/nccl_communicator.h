#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_COMMUNICATOR_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_COMMUNICATOR_H_

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/collectives/communicator.h"
#include "runtime/collectives/host_communicator.h"
#include "runtime/collectives/nccl/nccl_rank.h"
#include "runtime/collectives/nccl/nccl_reduction.h"
#include "runtime/cuda/nccl.h"
#include "runtime/devices/cuda/cuda_queue.h"

namespace lockstep::internal {

// An endpoint whose collectives NCCL runs, on CUDA streams. What NCCL leaves
// undefined is settled on the host, by two endpoints of the same members: one
// on which every launch begins (Prepare), so that all of them use the same rank
// of NCCL, or join a new one; one for what is compared call by call because it
// is in a loop or a branch, and for reductions that NCCL lacks.
//
// Work on a stream that waits for a member that will not come is ended by
// ncclCommAbort, when the launch at its head is cancelled. Launches behind it
// on the same endpoint fail with it; the next one to be prepared joins anew.
class NcclCommunicator final
    : public Communicator,
      public std::enable_shared_from_this<NcclCommunicator> {
 public:
  struct Options {
    const cuda::Nccl* nccl = nullptr;
    // Float sums in the order of spec K-4 (by the host), not in NCCL's.
    bool is_ordered = false;
  };

  // `starts` and `calls`: endpoints of the same rank on different channels,
  // both on_host().
  NcclCommunicator(const Options& options, std::shared_ptr<Communicator> starts,
                   std::shared_ptr<Communicator> calls);
  ~NcclCommunicator() override;

  const CliqueKey& key() const override { return calls_->key(); }
  int rank() const override { return calls_->rank(); }

  absl::Status Prepare(DeviceQueue& queue, const CollectiveCall& call) override;
  absl::Status AllReduce(DeviceQueue& queue, WorkScope& scope,
                         const CollectiveCall& call, DeviceAddress operand,
                         DeviceAddress result, int64_t count,
                         const Reduction& reduction) override;
  absl::Status ReduceScatter(DeviceQueue& queue, WorkScope& scope,
                             const CollectiveCall& call, DeviceAddress operand,
                             DeviceAddress result, int64_t chunk_count,
                             const Reduction& reduction) override;
  absl::Status AllGather(DeviceQueue& queue, WorkScope& scope,
                         const CollectiveCall& call, DeviceAddress operand,
                         DeviceAddress result) override;
  absl::Status AllToAll(DeviceQueue& queue, WorkScope& scope,
                        const CollectiveCall& call, DeviceAddress operand,
                        DeviceAddress result) override;
  absl::Status Permute(DeviceQueue& queue, WorkScope& scope,
                       const CollectiveCall& call, std::optional<int> source,
                       std::vector<int> targets, DeviceAddress operand,
                       DeviceAddress result) override;
  absl::Status Broadcast(DeviceQueue& queue, WorkScope& scope,
                         const CollectiveCall& call, int root,
                         DeviceAddress operand, DeviceAddress result) override;
  absl::Status RaggedAllToAll(DeviceQueue& queue, WorkScope& scope,
                              const CollectiveCall& call,
                              std::shared_ptr<const RaggedSlices> slices,
                              DeviceAddress operand,
                              DeviceAddress result) override;

  // Fails what is on streams if NCCL has found an error. From time to time.
  void CheckForErrors();

 private:
  // A collective on a queue, until it is over there.
  struct Work;
  using WorkPtr = std::shared_ptr<Work>;

  // What a collective does on a stream.
  struct Operation {
    std::string name;  // "ncclAllReduce"
    int64_t operand_bytes = 0;
    int64_t result_bytes = 0;
    std::function<cuda::ncclResult_t(const cuda::Nccl&, cuda::ncclComm_t,
                                     cuda::CUstream)>
        calls;
  };

  // Nothing: the host does it.
  std::optional<NcclReduction> NativeFor(DeviceQueue& queue,
                                         const Reduction& reduction) const;
  bool is_alone() const { return key().size() == 1; }
  absl::Status Put(DeviceQueue& queue, WorkScope& scope,
                   const CollectiveCall& call, Operation operation);
  // The work that begins here, in its place among the others.
  absl::StatusOr<WorkPtr> Begin(WorkScope& scope, const CollectiveCall& call);
  absl::Status Enter(Work& work);
  // Whether all members are in this call, with operands of one size.
  absl::Status CompareOnHost(const CollectiveCall& call,
                             const Operation& operation);
  // `status`: that of the scope, when the stream has come this far.
  void Finish(const WorkPtr& work, const absl::Status& status);
  void Cancel(const WorkPtr& work, const absl::Status& cause);

  // Ends the rank of NCCL, and what is on streams with `cause`.
  void EndRank(const absl::Status& cause) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The same if the head of what is on streams has been cancelled.
  void EndRankIfStuck() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Until nothing is on streams, or the launch is cancelled.
  absl::Status AwaitIdle(const CollectiveCall& call);
  absl::Status JoinAnew(CudaDevice& device, const CollectiveCall& call);
  bool IsIdle() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return work_.empty();
  }

  const Options options_;
  const std::shared_ptr<Communicator> starts_;
  const std::shared_ptr<Communicator> calls_;

  absl::Mutex mutex_;
  // Null: the next launch joins anew.
  std::shared_ptr<NcclRank> rank_ ABSL_GUARDED_BY(mutex_);
  // Names what all have joined together; 0: nothing.
  uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
  // Collectives that were called on it.
  uint64_t call_count_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status ended_ ABSL_GUARDED_BY(mutex_);  // why there is none
  // Since when NCCL has reported an error of it.
  absl::Time error_since_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();
  std::list<WorkPtr> work_ ABSL_GUARDED_BY(mutex_);  // in order
  std::thread ending_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_COMMUNICATOR_H_
