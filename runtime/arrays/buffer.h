#ifndef LOCKSTEP_RUNTIME_ARRAYS_BUFFER_H_
#define LOCKSTEP_RUNTIME_ARRAYS_BUFFER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/arrays/buffer_storage.h"
#include "runtime/mesh/ids.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// The device memory of one shard, as a future: it becomes ready with a value or
// with an error, once. An error poisons what is computed from it and keeps its
// first cause. Shared by the arrays and launches that use it. Thread-safe.
class Buffer {
 public:
  // Pending, until SetMemory or SetError. `device`: what it is called in the
  // cluster.
  Buffer(Shape shape, GlobalDeviceId device);
  Buffer(Shape shape, GlobalDeviceId device, PendingMemory value);
  ~Buffer();

  const Shape& shape() const { return shape_; }
  GlobalDeviceId device() const { return device_; }

  // Once, one of the two. The memory must hold the shape.
  void SetMemory(PendingMemory value);
  void SetError(absl::Status status);

  // The storage, for a reader that may outlive a later donation.
  // FAILED_PRECONDITION after a donation.
  absl::StatusOr<std::shared_ptr<BufferStorage>> Storage() const;
  // Another buffer of the same value, which is there as long as one of the two
  // is: a donation of one is of a copy while there are both.
  // FAILED_PRECONDITION after a donation.
  absl::StatusOr<std::shared_ptr<Buffer>> Share() const;
  // Donation: whoever launches with this buffer as a donated argument gets its
  // storage. Afterwards every read is FAILED_PRECONDITION naming `taken_by`.
  // The buffer may be pending still.
  absl::StatusOr<std::shared_ptr<BufferStorage>> Donate(
      absl::string_view taken_by);
  // The memory of a buffer that was donated, for that launch: see
  // BufferStorage::Take. At most once.
  absl::StatusOr<PendingMemory> Take();

  bool is_ready() const { return storage_->is_ready(); }
  // Waits. OK, the error, or DEADLINE_EXCEEDED.
  absl::Status Await(absl::Time deadline = absl::InfiniteFuture()) const;
  // Runs `callback` with the final status, at once when it is ready; on the
  // thread that makes it ready otherwise. Must be short.
  void OnReady(std::function<void(const absl::Status&)> callback);
  // The memory, whose content does not change while this buffer is not donated.
  // FAILED_PRECONDITION when it is not ready.
  absl::StatusOr<std::shared_ptr<DeviceMemory>> Memory() const;
  // The same of buffers that share their value.
  const BufferStorage* identity() const { return storage_.get(); }

 private:
  Buffer(Shape shape, GlobalDeviceId device,
         std::shared_ptr<BufferStorage> storage);

  const Shape shape_;
  const GlobalDeviceId device_;
  const std::shared_ptr<BufferStorage> storage_;
  mutable absl::Mutex mutex_;
  std::string taken_by_ ABSL_GUARDED_BY(mutex_);  // "": not donated
  bool is_owner_ ABSL_GUARDED_BY(mutex_) = true;  // of the storage
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_ARRAYS_BUFFER_H_
