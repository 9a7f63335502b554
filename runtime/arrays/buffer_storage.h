#ifndef LOCKSTEP_RUNTIME_ARRAYS_BUFFER_STORAGE_H_
#define LOCKSTEP_RUNTIME_ARRAYS_BUFFER_STORAGE_H_

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/devices/transfers.h"

namespace lockstep::internal {

// The memory behind a Buffer, as a future of two steps: first it is placed,
// which means that work on the device may be queued on it, then its content is
// ready. Launches hold the storage of their arguments, so that a launch that is
// still queued finds the memory although the program has let go of the Buffer
// or donated it to a later launch. Thread-safe.
class BufferStorage : public std::enable_shared_from_this<BufferStorage> {
 public:
  using Callback = std::function<void(const absl::Status&)>;

  // Not placed.
  BufferStorage() = default;
  BufferStorage(const BufferStorage&) = delete;
  BufferStorage& operator=(const BufferStorage&) = delete;

  // Once, one of the two. `status` must not be OK.
  void SetMemory(PendingMemory value);
  void SetError(const absl::Status& status);

  bool is_ready() const;
  // Waits. OK, the error, or DEADLINE_EXCEEDED.
  absl::Status Await(absl::Time deadline) const;
  // Runs `callback` with the outcome, at once when there is one.
  void OnReady(Callback callback);

  bool is_placed() const;
  void OnPlaced(Callback callback);
  // FAILED_PRECONDITION before it is placed, and after Take.
  absl::StatusOr<PendingMemory> Memory() const;
  // Waits until the content is there, then runs `read`, during which nobody can
  // take it.
  absl::Status Read(
      absl::FunctionRef<absl::Status(const DeviceMemory&)> read) const;
  // The same for a read that ends later: with the last reference, until which
  // Take waits. Its holder must not wait for a launch, which may wait for Take.
  absl::StatusOr<std::shared_ptr<const DeviceMemory>> BeginRead() const;
  // The memory of one owner, which it is no more, for good; only the lane of
  // the device may do this, where all earlier launches are on the queue. The
  // last owner's waits for reads; while there are others, what is given is not
  // writable.
  absl::StatusOr<PendingMemory> Take();

  // Buffers. One that has been donated is an owner until that launch takes the
  // memory: another that is donated behind it must find it.
  void AddOwner();
  void RemoveOwner();

 private:
  // Sets what is given and runs the callbacks that have waited for it. `status`
  // is the outcome once the content is there.
  void Set(PendingMemory value, const absl::Status& status, bool is_ready);
  void SetReady(const absl::Status& status);
  absl::Status CheckPlaced() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  bool HasNoReaders() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return reader_count_ == 0;
  }

  mutable absl::Mutex mutex_;
  int owner_count_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_placed_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_ready_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_taken_ ABSL_GUARDED_BY(mutex_) = false;
  // Reads that end later.
  mutable int reader_count_ ABSL_GUARDED_BY(mutex_) = 0;
  // Of what should have computed it.
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<DeviceMemory> memory_ ABSL_GUARDED_BY(mutex_);
  // Until it is ready.
  std::shared_ptr<DeviceEvent> content_ ABSL_GUARDED_BY(mutex_);
  std::vector<Callback> on_placed_ ABSL_GUARDED_BY(mutex_);
  std::vector<Callback> on_ready_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_ARRAYS_BUFFER_STORAGE_H_
