#include "runtime/arrays/buffer_storage.h"

#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/status.h"

namespace lockstep {

void BufferStorage::SetMemory(PendingMemory value) {
  const std::shared_ptr<DeviceEvent> content = value.ready;
  {
    absl::MutexLock lock(&mutex_);
    status_ = absl::OkStatus();
    value_ = std::move(value);
  }
  placed_.Finish(absl::OkStatus());
  if (content == nullptr) {
    ready_->Finish(absl::OkStatus());
  } else {
    content->OnReady([ready = ready_](const absl::Status& status) {
      ready->Finish(status);
    });
  }
}

void BufferStorage::SetError(absl::Status status) {
  LOCKSTEP_CHECK(!status.ok());
  {
    absl::MutexLock lock(&mutex_);
    status_ = status;
  }
  placed_.Finish(status);
  ready_->Finish(std::move(status));
}

absl::Status BufferStorage::Read(
    absl::FunctionRef<absl::Status(const DeviceMemory&)> read) const {
  RETURN_IF_ERROR(Await(absl::InfiniteFuture()));
  absl::ReaderMutexLock lock(&mutex_);
  RETURN_IF_ERROR(status_);
  return read(*value_.memory);
}

absl::StatusOr<PendingMemory> BufferStorage::Memory() const {
  absl::ReaderMutexLock lock(&mutex_);
  RETURN_IF_ERROR(status_);
  return value_;
}

absl::StatusOr<PendingMemory> BufferStorage::Take() {
  absl::MutexLock lock(&mutex_);
  RETURN_IF_ERROR(status_);
  status_ = absl::FailedPreconditionError("the storage was donated");
  return std::move(value_);
}

}  // namespace lockstep
