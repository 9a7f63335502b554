#include "runtime/devices/cuda/cuda_event.h"

#include "runtime/base/status.h"
#include "runtime/devices/cuda/cuda_device.h"

namespace lockstep::internal {

CudaEventPool::~CudaEventPool() {
  absl::MutexLock lock(&mutex_);
  for (cuda::CUevent event : events_) device_.driver().cuEventDestroy(event);
}

absl::StatusOr<cuda::CUevent> CudaEventPool::Take() {
  {
    absl::MutexLock lock(&mutex_);
    if (!events_.empty()) {
      const cuda::CUevent event = events_.back();
      events_.pop_back();
      return event;
    }
  }
  cuda::CUevent event = nullptr;
  RETURN_IF_ERROR(device_.Check(
      device_.driver().cuEventCreate(
          &event, cuda::CU_EVENT_BLOCKING_SYNC | cuda::CU_EVENT_DISABLE_TIMING),
      "cuEventCreate"));
  return event;
}

void CudaEventPool::GiveBack(cuda::CUevent event) {
  absl::MutexLock lock(&mutex_);
  events_.push_back(event);
}

bool CudaEvent::is_recorded() const {
  absl::MutexLock lock(&mutex_);
  return is_recorded_;
}

void CudaEvent::AwaitRecorded() const {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&is_recorded_));
}

bool CudaEvent::writes_to_host() const {
  absl::MutexLock lock(&mutex_);
  return writes_to_host_;
}

absl::Status CudaEvent::WithCUevent(
    const std::function<absl::Status(cuda::CUevent)>& wait) const {
  absl::MutexLock lock(&mutex_);
  return event_ == nullptr ? absl::OkStatus() : wait(event_);
}

void CudaEvent::SetRecorded(cuda::CUevent event, bool writes_to_host) {
  absl::MutexLock lock(&mutex_);
  is_recorded_ = true;
  writes_to_host_ = writes_to_host;
  event_ = event;
}

void CudaEvent::DropCUevent() {
  absl::MutexLock lock(&mutex_);
  event_ = nullptr;
}

}  // namespace lockstep::internal
