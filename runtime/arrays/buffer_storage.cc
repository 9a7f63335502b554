#include "runtime/arrays/buffer_storage.h"

#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Memory that others have too, and read later.
class SharedMemory : public DeviceMemory {
 public:
  explicit SharedMemory(std::shared_ptr<DeviceMemory> memory)
      : DeviceMemory(memory->device().shared_from_this(), memory->address(),
                     /*is_writable=*/false),
        memory_(std::move(memory)) {}

 private:
  const std::shared_ptr<DeviceMemory> memory_;
};

}  // namespace

void BufferStorage::AddOwner() {
  absl::MutexLock lock(&mutex_);
  ++owner_count_;
}

void BufferStorage::RemoveOwner() {
  absl::MutexLock lock(&mutex_);
  --owner_count_;
}

void BufferStorage::SetMemory(PendingMemory value) {
  const std::shared_ptr<DeviceEvent> content = value.ready;
  Set(std::move(value), absl::OkStatus(), content == nullptr);
  if (content == nullptr) return;
  content->OnReady([self = shared_from_this()](const absl::Status& status) {
    self->SetReady(status);
  });
}

void BufferStorage::SetError(const absl::Status& status) {
  LOCKSTEP_CHECK(!status.ok());
  Set({}, status, /*is_ready=*/true);
}

void BufferStorage::Set(PendingMemory value, const absl::Status& status,
                        bool is_ready) {
  std::vector<Callback> on_placed, on_ready;
  {
    absl::MutexLock lock(&mutex_);
    LOCKSTEP_CHECK(!is_placed_);
    is_placed_ = true;
    is_ready_ = is_ready;
    status_ = status;
    memory_ = std::move(value.memory);
    content_ = std::move(value.ready);
    on_placed.swap(on_placed_);
    if (is_ready) on_ready.swap(on_ready_);
  }
  for (const Callback& callback : on_placed) callback(status);
  for (const Callback& callback : on_ready) callback(status);
}

void BufferStorage::SetReady(const absl::Status& status) {
  std::vector<Callback> on_ready;
  {
    absl::MutexLock lock(&mutex_);
    is_ready_ = true;
    status_ = status;
    content_ = nullptr;
    on_ready.swap(on_ready_);
  }
  for (const Callback& callback : on_ready) callback(status);
}

bool BufferStorage::is_ready() const {
  absl::ReaderMutexLock lock(&mutex_);
  return is_ready_;
}

bool BufferStorage::is_placed() const {
  absl::ReaderMutexLock lock(&mutex_);
  return is_placed_;
}

absl::Status BufferStorage::Await(absl::Time deadline) const {
  absl::ReaderMutexLock lock(&mutex_);
  if (!mutex_.AwaitWithDeadline(absl::Condition(&is_ready_), deadline)) {
    return absl::DeadlineExceededError("the buffer is not ready");
  }
  return status_;
}

void BufferStorage::OnReady(Callback callback) {
  absl::Status status;
  {
    absl::MutexLock lock(&mutex_);
    if (!is_ready_) {
      on_ready_.push_back(std::move(callback));
      return;
    }
    status = status_;
  }
  callback(status);
}

void BufferStorage::OnPlaced(Callback callback) {
  absl::Status status;
  {
    absl::MutexLock lock(&mutex_);
    if (!is_placed_) {
      on_placed_.push_back(std::move(callback));
      return;
    }
    status = status_;
  }
  callback(status);
}

absl::Status BufferStorage::CheckPlaced() const {
  if (!is_placed_) {
    return absl::FailedPreconditionError("the buffer is not ready");
  }
  if (is_taken_) {
    return absl::FailedPreconditionError("the storage was donated");
  }
  return status_;
}

absl::Status BufferStorage::Read(
    absl::FunctionRef<absl::Status(const DeviceMemory&)> read) const {
  // Not under the lock: others let go of the storage meanwhile.
  ASSIGN_OR_RETURN(const std::shared_ptr<const DeviceMemory> memory,
                   BeginRead());
  return read(*memory);
}

absl::StatusOr<std::shared_ptr<const DeviceMemory>> BufferStorage::BeginRead()
    const {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&is_ready_));
  RETURN_IF_ERROR(CheckPlaced());
  ++reader_count_;
  return std::shared_ptr<const DeviceMemory>(
      memory_.get(),
      [self = shared_from_this(), memory = memory_](const DeviceMemory*) {
        absl::MutexLock lock(&self->mutex_);
        --self->reader_count_;
      });
}

absl::StatusOr<PendingMemory> BufferStorage::Memory() const {
  absl::ReaderMutexLock lock(&mutex_);
  RETURN_IF_ERROR(CheckPlaced());
  return PendingMemory{memory_, content_};
}

absl::StatusOr<PendingMemory> BufferStorage::Take() {
  absl::MutexLock lock(&mutex_);
  --owner_count_;
  RETURN_IF_ERROR(CheckPlaced());
  if (owner_count_ > 0) {
    return PendingMemory{std::make_shared<SharedMemory>(memory_), content_};
  }
  // Before the wait, which gives the lock up: no read begins from here on.
  is_taken_ = true;
  mutex_.Await(absl::Condition(this, &BufferStorage::HasNoReaders));
  return PendingMemory{std::move(memory_), content_};
}

}  // namespace lockstep::internal
