#include "runtime/base/parallel_copy.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

// Large enough that to take one costs nothing beside it.
constexpr size_t kPartSize = size_t{512} << 10;
constexpr unsigned kMostThreads = 8;

// Work of which threads take parts until there are none.
class Parts {
 public:
  Parts(size_t count, absl::FunctionRef<void(size_t i)> work)
      : count_(count), work_(work) {}

  // Returns when none is left to begin.
  void RunSome() {
    while (true) {
      const size_t part = next_.fetch_add(1, std::memory_order_relaxed);
      // From here on the work may be gone.
      if (part >= count_) return;
      work_(part);
      absl::MutexLock lock(&mutex_);
      ++done_;
    }
  }
  void Await() {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(this, &Parts::IsDone));
  }

 private:
  bool IsDone() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return done_ == count_;
  }

  const size_t count_;
  const absl::FunctionRef<void(size_t i)> work_;
  std::atomic<size_t> next_ = 0;
  absl::Mutex mutex_;
  size_t done_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Half of the processors: the others have work of their own.
size_t ThreadCount() {
  static const unsigned count = std::min(
      kMostThreads, std::max(1u, std::thread::hardware_concurrency() / 2));
  return count;
}

// Those that help whoever copies. They live as long as the process, so that it
// can end while they wait.
ThreadPool& Helpers() {
  static auto* pool =
      new ThreadPool("copy", static_cast<int>(ThreadCount()) - 1);
  return *pool;
}

}  // namespace

int ParallelRunThreads() { return static_cast<int>(ThreadCount()); }

void ParallelRun(size_t count, absl::FunctionRef<void(size_t i)> work) {
  const size_t threads = std::min(count, ThreadCount());
  if (threads < 2) {
    for (size_t i = 0; i < count; ++i) work(i);
    return;
  }
  const auto parts = std::make_shared<Parts>(count, work);
  for (size_t i = 1; i < threads; ++i) {
    Helpers().Schedule([parts] { parts->RunSome(); });
  }
  parts->RunSome();
  parts->Await();
}

void ParallelCopy(std::byte* to, const std::byte* from, size_t size) {
  if (size < 2 * kPartSize) {
    std::copy(from, from + size, to);
    return;
  }
  ParallelRun((size + kPartSize - 1) / kPartSize, [=](size_t part) {
    const size_t at = part * kPartSize;
    std::memcpy(to + at, from + at, std::min(kPartSize, size - at));
  });
}

}  // namespace lockstep::internal
