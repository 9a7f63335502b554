#include "runtime/arrays/buffer_storage.h"

#include <cstring>
#include <utility>

#include "runtime/base/check.h"

namespace lockstep {

BufferStorage::BufferStorage(Literal value)
    : is_ready_(true), value_(std::move(value)) {}

void BufferStorage::SetValue(Literal value) {
  Finish(absl::OkStatus(), std::move(value));
}

void BufferStorage::SetError(absl::Status status) {
  LOCKSTEP_CHECK(!status.ok());
  Finish(std::move(status), Literal());
}

void BufferStorage::Finish(absl::Status status, Literal value) {
  std::vector<std::function<void(const absl::Status&)>> callbacks;
  {
    absl::MutexLock lock(&mutex_);
    LOCKSTEP_CHECK(!is_ready_);
    is_ready_ = true;
    status_ = status;
    value_ = std::move(value);
    callbacks.swap(callbacks_);
  }
  for (const auto& callback : callbacks) callback(status);
}

bool BufferStorage::is_ready() const {
  absl::MutexLock lock(&mutex_);
  return is_ready_;
}

absl::Status BufferStorage::Await(absl::Time deadline) const {
  absl::MutexLock lock(&mutex_);
  if (!mutex_.AwaitWithDeadline(absl::Condition(this, &BufferStorage::IsReady),
                                deadline)) {
    return absl::DeadlineExceededError("the buffer is not ready");
  }
  return status_;
}

void BufferStorage::OnReady(std::function<void(const absl::Status&)> callback) {
  absl::Status status;
  {
    absl::MutexLock lock(&mutex_);
    if (!is_ready_) {
      callbacks_.push_back(std::move(callback));
      return;
    }
    status = status_;
  }
  callback(status);
}

absl::StatusOr<Literal> BufferStorage::ToLiteral() const {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(this, &BufferStorage::IsReady));
  if (!status_.ok()) return status_;
  absl::StatusOr<Literal> copy = Literal::Allocate(value_.shape());
  if (copy.ok() && value_.shape().byte_size() > 0) {
    std::memcpy(copy->mutable_bytes(), value_.bytes(),
                static_cast<size_t>(value_.shape().byte_size()));
  }
  return copy;
}

absl::StatusOr<LiteralView> BufferStorage::View() const {
  absl::MutexLock lock(&mutex_);
  if (!is_ready_) {
    return absl::FailedPreconditionError("the buffer is not ready");
  }
  if (!status_.ok()) return status_;
  return value_.view();
}

absl::StatusOr<Literal> BufferStorage::Take() {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(this, &BufferStorage::IsReady));
  if (!status_.ok()) return status_;
  Literal value = std::move(value_);
  status_ = absl::FailedPreconditionError("the storage was donated");
  return value;
}

}  // namespace lockstep
