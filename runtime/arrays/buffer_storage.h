#ifndef LOCKSTEP_RUNTIME_ARRAYS_BUFFER_STORAGE_H_
#define LOCKSTEP_RUNTIME_ARRAYS_BUFFER_STORAGE_H_

#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/types/literal.h"

namespace lockstep {

// The bytes behind a Buffer, as a future. Launches hold the storage of their
// arguments, so that a launch that is still queued finds the bytes although
// the program has let go of the Buffer or donated it to a later launch.
// Thread-safe.
class BufferStorage {
 public:
  BufferStorage() = default;
  explicit BufferStorage(Literal value);
  BufferStorage(const BufferStorage&) = delete;
  BufferStorage& operator=(const BufferStorage&) = delete;

  // Once, one of the two. `status` must not be OK.
  void SetValue(Literal value);
  void SetError(absl::Status status);

  bool is_ready() const;
  absl::Status Await(absl::Time deadline) const;
  void OnReady(std::function<void(const absl::Status&)> callback);
  // Waits, then a copy.
  absl::StatusOr<Literal> ToLiteral() const;
  // FAILED_PRECONDITION when pending; valid until Take.
  absl::StatusOr<LiteralView> View() const;
  // Waits, then moves the value out. At most once; only the device queue that
  // the storage belongs to may do this, since earlier launches there may have
  // views of it.
  absl::StatusOr<Literal> Take();

 private:
  void Finish(absl::Status status, Literal value);
  bool IsReady() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return is_ready_; }

  mutable absl::Mutex mutex_;
  bool is_ready_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  Literal value_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::function<void(const absl::Status&)>> callbacks_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_ARRAYS_BUFFER_STORAGE_H_
