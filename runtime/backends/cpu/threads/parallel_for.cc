#include "runtime/backends/cpu/threads/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "absl/synchronization/mutex.h"
#include "runtime/base/cores.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

ThreadPool& Helpers() {
  static auto* pool =
      new ThreadPool("intra-op", std::max(2, CoresOfProcess()) - 1);
  return *pool;
}

// Shared with helpers that may come when everything is done: they then find no
// piece left and never touch the function.
struct Work {
  Work(int64_t pieces, absl::FunctionRef<void(int64_t)> f)
      : pieces(pieces), f(f) {}

  void Help() {
    for (int64_t i; (i = next.fetch_add(1)) < pieces;) {
      f(i);
      absl::MutexLock lock(&mutex);
      ++done;
    }
  }
  void AwaitAll() {
    const auto all_done = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex) {
      return done == pieces;
    };
    absl::MutexLock lock(&mutex);
    mutex.Await(absl::Condition(&all_done));
  }

  const int64_t pieces;
  const absl::FunctionRef<void(int64_t)> f;
  std::atomic<int64_t> next{0};
  absl::Mutex mutex;
  int64_t done ABSL_GUARDED_BY(mutex) = 0;
};

}  // namespace

void ParallelFor(int threads, int64_t pieces,
                 absl::FunctionRef<void(int64_t)> f) {
  if (threads <= 1 || pieces <= 1) {
    for (int64_t i = 0; i < pieces; ++i) f(i);
    return;
  }
  const auto work = std::make_shared<Work>(pieces, f);
  const int64_t helpers = std::min<int64_t>(threads, pieces) - 1;
  for (int64_t i = 0; i < helpers; ++i) {
    Helpers().Schedule([work] { work->Help(); });
  }
  work->Help();
  work->AwaitAll();
}

}  // namespace lockstep::internal
