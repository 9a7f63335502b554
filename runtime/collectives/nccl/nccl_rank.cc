#include "runtime/collectives/nccl/nccl_rank.h"

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "runtime/base/status.h"
#include "runtime/cuda/cuda_status.h"

namespace lockstep::internal {
namespace {

using cuda::ncclResult_t;

// Between two questions to NCCL.
constexpr absl::Duration kPollTime = absl::Microseconds(100);

// A GPU in two ranks is what people meet when they start two workers on it.
absl::Status JoinStatus(ncclResult_t result) {
  const absl::Status status =
      cuda::NcclStatus(result, "ncclCommInitRankConfig");
  if (result != cuda::ncclInvalidUsage) return status;
  return absl::FailedPreconditionError(absl::StrCat(
      status.message(),
      "; NCCL refuses two ranks on one GPU of one host: give each worker GPUs "
      "of its own, or, for a test, each another NCCL_HOSTID"));
}

}  // namespace

absl::StatusOr<std::shared_ptr<NcclRank>> NcclRank::Create(
    const cuda::Nccl& nccl, CudaDevice& device, const cuda::ncclUniqueId& id,
    int ranks, int rank, const CancellationToken& cancellation) {
  std::shared_ptr<NcclRank> created(new NcclRank(nccl, device));
  RETURN_IF_ERROR(
      Annotate(created->Join(id, ranks, rank, cancellation), device.name()));
  return created;
}

absl::Status NcclRank::Join(const cuda::ncclUniqueId& id, int ranks, int rank,
                            const CancellationToken& cancellation) {
  RETURN_IF_ERROR(device_.MakeCurrent());
  ncclResult_t result;
  {
    absl::MutexLock lock(&mutex_);
    cuda::ncclConfig_t config;
    config.blocking = 0;
    result = nccl_.ncclCommInitRankConfig(&comm_, ranks, id, rank, &config);
  }
  if (result == cuda::ncclSuccess) result = Poll();
  while (result == cuda::ncclInProgress) {
    RETURN_IF_ERROR(cancellation.status());
    absl::SleepFor(kPollTime);
    result = Poll();
  }
  return JoinStatus(result);
}

ncclResult_t NcclRank::Poll() {
  absl::MutexLock lock(&mutex_);
  if (comm_ == nullptr) return cuda::ncclInternalError;
  ncclResult_t result = cuda::ncclSuccess;
  const ncclResult_t asked = nccl_.ncclCommGetAsyncError(comm_, &result);
  return asked == cuda::ncclSuccess ? result : asked;
}

absl::Status NcclRank::Put(const std::string& name, const Calls& calls) {
  ncclResult_t result;
  {
    absl::MutexLock lock(&mutex_);
    if (comm_ == nullptr || is_aborting_) {
      return absl::AbortedError("the communicator of NCCL has ended");
    }
    result = nccl_.ncclGroupStart();
    if (result == cuda::ncclSuccess) {
      result = calls(nccl_, comm_);
      // The group ends also after an error: it belongs to the thread.
      const ncclResult_t ended = nccl_.ncclGroupEnd();
      if (result == cuda::ncclSuccess || result == cuda::ncclInProgress) {
        result = ended;
      }
    }
  }
  // The first work on a communicator connects the ranks.
  while (result == cuda::ncclInProgress && !is_aborting_) {
    result = Poll();
    if (result == cuda::ncclInProgress) absl::SleepFor(kPollTime);
  }
  if (is_aborting_) {
    return absl::AbortedError("the communicator of NCCL has ended");
  }
  return cuda::NcclStatus(result, name);
}

absl::Status NcclRank::status() {
  if (is_aborting_) return absl::OkStatus();
  return cuda::NcclStatus(Poll(), "ncclCommGetAsyncError");
}

void NcclRank::Abort() {
  is_aborting_ = true;
  absl::MutexLock lock(&mutex_);
  if (comm_ == nullptr) return;
  nccl_.ncclCommAbort(comm_);
  comm_ = nullptr;
}

}  // namespace lockstep::internal
