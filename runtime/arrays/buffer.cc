#include "runtime/arrays/buffer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status DonatedError(absl::string_view taken_by) {
  return absl::FailedPreconditionError(
      absl::StrCat("the buffer was donated to ", taken_by));
}

}  // namespace

Buffer::Buffer(Shape shape, GlobalDeviceId device)
    : Buffer(std::move(shape), device, std::make_shared<BufferStorage>()) {}

Buffer::Buffer(Shape shape, GlobalDeviceId device,
               std::shared_ptr<BufferStorage> storage)
    : shape_(std::move(shape)), device_(device), storage_(std::move(storage)) {
  storage_->AddOwner();
}

Buffer::~Buffer() {
  absl::MutexLock lock(&mutex_);
  if (is_owner_) storage_->RemoveOwner();
}

Buffer::Buffer(Shape shape, GlobalDeviceId device, PendingMemory value)
    : Buffer(std::move(shape), device) {
  SetMemory(std::move(value));
}

void Buffer::SetMemory(PendingMemory value) {
  LOCKSTEP_CHECK(value.memory->size() == shape_.byte_size());
  storage_->SetMemory(std::move(value));
}

void Buffer::SetError(absl::Status status) { storage_->SetError(status); }

absl::StatusOr<std::shared_ptr<BufferStorage>> Buffer::Storage() const {
  absl::MutexLock lock(&mutex_);
  if (!taken_by_.empty()) return DonatedError(taken_by_);
  return storage_;
}

absl::StatusOr<std::shared_ptr<Buffer>> Buffer::Share() const {
  // Until there are two owners nobody may donate this one.
  absl::MutexLock lock(&mutex_);
  if (!taken_by_.empty()) return DonatedError(taken_by_);
  return std::shared_ptr<Buffer>(new Buffer(shape_, device_, storage_));
}

absl::StatusOr<std::shared_ptr<BufferStorage>> Buffer::Donate(
    absl::string_view taken_by) {
  absl::MutexLock lock(&mutex_);
  if (!taken_by_.empty()) return DonatedError(taken_by_);
  taken_by_ = taken_by.empty() ? "a launch" : std::string(taken_by);
  return storage_;
}

absl::StatusOr<PendingMemory> Buffer::Take() {
  {
    absl::MutexLock lock(&mutex_);
    LOCKSTEP_CHECK(!taken_by_.empty() && is_owner_);
    is_owner_ = false;
  }
  return storage_->Take();
}

absl::Status Buffer::Await(absl::Time deadline) const {
  ASSIGN_OR_RETURN(std::shared_ptr<BufferStorage> storage, Storage());
  return storage->Await(deadline);
}

void Buffer::OnReady(std::function<void(const absl::Status&)> callback) {
  absl::StatusOr<std::shared_ptr<BufferStorage>> storage = Storage();
  if (!storage.ok()) return callback(storage.status());
  (*storage)->OnReady(std::move(callback));
}

absl::StatusOr<std::shared_ptr<DeviceMemory>> Buffer::Memory() const {
  ASSIGN_OR_RETURN(std::shared_ptr<BufferStorage> storage, Storage());
  if (!storage->is_ready()) {
    return absl::FailedPreconditionError("the buffer is not ready");
  }
  RETURN_IF_ERROR(storage->Await(absl::InfinitePast()));
  ASSIGN_OR_RETURN(PendingMemory value, storage->Memory());
  return std::move(value.memory);
}

}  // namespace lockstep::internal
