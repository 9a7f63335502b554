#ifndef LOCKSTEP_RUNTIME_BASE_THREAD_POOL_H_
#define LOCKSTEP_RUNTIME_BASE_THREAD_POOL_H_

#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"

namespace lockstep::internal {

// Runs tasks on `threads` threads named `name`, in the order of Schedule; with
// one thread it is an ordered queue. The destructor runs what is scheduled and
// joins. Thread-safe.
class ThreadPool {
 public:
  ThreadPool(absl::string_view name, int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void Schedule(std::function<void()> task);

 private:
  void Run();

  absl::Mutex mutex_;
  std::deque<std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

// Names the calling thread for debuggers and `top` (15 characters are kept).
void SetThreadName(absl::string_view name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_THREAD_POOL_H_
