#ifndef LOCKSTEP_RUNTIME_ARRAYS_BUFFER_STORAGE_H_
#define LOCKSTEP_RUNTIME_ARRAYS_BUFFER_STORAGE_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/devices/transfers.h"

namespace lockstep {

// The memory behind a Buffer, as a future of two steps: first it is placed,
// which means that work on the device may be queued on it, then its content is
// ready. Launches hold the storage of their arguments, so that a launch that is
// still queued finds the memory although the program has let go of the Buffer
// or donated it to a later launch. Thread-safe.
class BufferStorage {
 public:
  // Not placed.
  BufferStorage() : ready_(std::make_shared<DeviceEvent>()) {}
  explicit BufferStorage(PendingMemory value) : BufferStorage() {
    SetMemory(std::move(value));
  }
  BufferStorage(const BufferStorage&) = delete;
  BufferStorage& operator=(const BufferStorage&) = delete;

  // Once, one of the two. `status` must not be OK.
  void SetMemory(PendingMemory value);
  void SetError(absl::Status status);

  bool is_ready() const { return ready_->is_ready(); }
  absl::Status Await(absl::Time deadline) const {
    return ready_->Await(deadline);
  }
  void OnReady(std::function<void(const absl::Status&)> callback) {
    ready_->OnReady(std::move(callback));
  }

  bool is_placed() const { return placed_.is_ready(); }
  void OnPlaced(std::function<void(const absl::Status&)> callback) {
    placed_.OnReady(std::move(callback));
  }
  // FAILED_PRECONDITION before it is placed, and after Take.
  absl::StatusOr<PendingMemory> Memory() const;
  // Waits until the content is there, then runs `read`, during which nobody can
  // take it.
  absl::Status Read(
      absl::FunctionRef<absl::Status(const DeviceMemory&)> read) const;
  // The memory, for good; waits for reads. At most once; only the lane of the
  // device may do this, where all earlier launches are on the queue.
  absl::StatusOr<PendingMemory> Take();

 private:
  DeviceEvent placed_;
  const std::shared_ptr<DeviceEvent> ready_;
  mutable absl::Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_) =
      absl::FailedPreconditionError("the buffer is not ready");
  PendingMemory value_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_ARRAYS_BUFFER_STORAGE_H_
