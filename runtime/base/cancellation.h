#ifndef LOCKSTEP_RUNTIME_BASE_CANCELLATION_H_
#define LOCKSTEP_RUNTIME_BASE_CANCELLATION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"

namespace lockstep::internal {

// Ends waits with a cause. The first Cancel wins; later ones are ignored, so
// that everybody who waits sees the same first cause. Shared by the threads of
// one piece of work. Thread-safe.
//
// A waiter registers a callback that wakes it. Callbacks run on the thread
// that cancels (or at once, on the registering thread, when the token is
// cancelled already), with no lock held; they must be short.
class CancellationToken {
 public:
  CancellationToken() = default;
  CancellationToken(const CancellationToken&) = delete;
  CancellationToken& operator=(const CancellationToken&) = delete;

  // `cause` must not be OK. Returns whether this call was the first.
  bool Cancel(absl::Status cause);

  // OK until cancelled, then the cause. Cheap until then.
  absl::Status status() const;
  bool is_cancelled() const {
    return is_cancelled_.load(std::memory_order_acquire);
  }

  // Unregisters when destroyed, waiting for a callback in progress (unless
  // that callback is what destroys it).
  class Registration {
   public:
    Registration() = default;
    ~Registration() { Reset(); }
    Registration(Registration&& other) noexcept;
    Registration& operator=(Registration&& other) noexcept;
    void Reset();

   private:
    friend class CancellationToken;
    CancellationToken* token_ = nullptr;
    int64_t id_ = 0;
  };
  [[nodiscard]] Registration OnCancel(std::function<void()> callback);

 private:
  mutable absl::Mutex mutex_;
  // Set once cause_ is, under the mutex.
  std::atomic<bool> is_cancelled_{false};
  absl::CondVar callback_done_;
  absl::Status cause_ ABSL_GUARDED_BY(mutex_);
  int64_t next_id_ ABSL_GUARDED_BY(mutex_) = 1;
  int64_t running_id_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t running_thread_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_map<int64_t, std::function<void()>> callbacks_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_CANCELLATION_H_
