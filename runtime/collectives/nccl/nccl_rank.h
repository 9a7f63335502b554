#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_RANK_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_RANK_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/cancellation.h"
#include "runtime/cuda/nccl.h"
#include "runtime/devices/cuda/cuda_device.h"

namespace lockstep::internal {

// One rank of a communicator of NCCL, which never blocks: what it waits for is
// asked for, so that every wait can be ended. After its first error, or Abort,
// it is good for nothing. Thread-safe.
class NcclRank {
 public:
  // Waits until all `ranks` have come; each is a thread of its own. Errors: the
  // cause, when `cancellation` is cancelled; UNAVAILABLE, FAILED_PRECONDITION,
  // INTERNAL: NCCL's, with what to do about them.
  static absl::StatusOr<std::shared_ptr<NcclRank>> Create(
      const cuda::Nccl& nccl, CudaDevice& device, const cuda::ncclUniqueId& id,
      int ranks, int rank, const CancellationToken& cancellation);
  // Aborts.
  ~NcclRank() { Abort(); }

  using Calls = std::function<cuda::ncclResult_t(const cuda::Nccl& nccl,
                                                 cuda::ncclComm_t comm)>;
  // Makes calls, as one group of NCCL, that put work on a stream of the device,
  // whose context is current. `name` is for messages: "ncclAllReduce".
  absl::Status Put(const std::string& name, const Calls& calls);

  // OK, or what NCCL has found on its own: another rank is gone, the network.
  absl::Status status();

  // Ends what it has put on streams, with whatever is in their results by then,
  // and gives back what it holds. Waits for no other rank. Idempotent.
  void Abort();

 private:
  NcclRank(const cuda::Nccl& nccl, CudaDevice& device)
      : nccl_(nccl), device_(device) {}

  absl::Status Join(const cuda::ncclUniqueId& id, int ranks, int rank,
                    const CancellationToken& cancellation);
  // The result of the call under way: ncclInProgress is none.
  cuda::ncclResult_t Poll();

  const cuda::Nccl& nccl_;
  CudaDevice& device_;
  std::atomic<bool> is_aborting_ = false;
  absl::Mutex mutex_;
  cuda::ncclComm_t comm_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_RANK_H_
