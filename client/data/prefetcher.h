#ifndef LOCKSTEP_CLIENT_DATA_PREFETCHER_H_
#define LOCKSTEP_CLIENT_DATA_PREFETCHER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/base/thread_pool.h"

namespace lockstep {

struct PrefetcherOptions {
  // Items that are made or being made and not taken, at most; less than 1
  // counts as 1.
  int64_t capacity = 2;
  // Of its thread, and in messages.
  std::string name = "prefetch";
};

// Items made ahead of their use, in order, on a thread of its own: while the
// devices work on one batch the next ones are read. The thread calls the
// producer, one call at a time, as long as there is room, until it gives
// nothing (the end of the data) or an error, or the prefetcher is cancelled.
//
// The producer reads, decodes and computes on the host. Calls that hosts make
// together, as make_array_from_process_local_data, belong to the consumer: they
// come from one thread, in one order.
//
// Thread-safe, but for construction and destruction; of several consumers each
// item goes to one. Neither copied nor moved.
template <typename T>
class Prefetcher {
 public:
  // Nothing: there are no more items. An exception is UNKNOWN with its text.
  using Producer = std::function<absl::StatusOr<std::optional<T>>()>;

  explicit Prefetcher(Producer producer, PrefetcherOptions options = {})
      : producer_(std::move(producer)),
        name_(std::move(options.name)),
        capacity_(static_cast<size_t>(
            std::max(options.capacity, static_cast<int64_t>(1)))),
        thread_([this] { Run(); }) {}
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;
  // Cancels. Waits for the producer's present call and makes no other.
  ~Prefetcher() {
    Cancel();
    thread_.join();
  }

  // Waits for the next item. Nothing: the end. The producer's error, after all
  // items that were before it. Both stay: later calls give them again.
  // CANCELLED: see Cancel. DEADLINE_EXCEEDED: no item yet; it is not lost.
  absl::StatusOr<std::optional<T>> Next(
      absl::Time deadline = absl::InfiniteFuture()) {
    absl::MutexLock lock(&mutex_);
    if (!mutex_.AwaitWithDeadline(absl::Condition(this, &Prefetcher::HasAnswer),
                                  deadline)) {
      return absl::DeadlineExceededError(
          absl::StrCat(name_, ": item ", taken_, " is still being made"));
    }
    if (is_cancelled_) {
      return absl::CancelledError(absl::StrCat(name_, ": cancelled"));
    }
    if (items_.empty()) {
      if (!end_->ok()) return *end_;
      return std::optional<T>();
    }
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    ++taken_;
    return item;
  }

  // Ends the thread after the producer's present call, and all present and
  // later calls of Next with CANCELLED. Waits for nothing. Idempotent.
  void Cancel() {
    absl::MutexLock lock(&mutex_);
    is_cancelled_ = true;
  }

 private:
  void Run() {
    internal::SetThreadName(name_);
    while (AwaitRoom()) {
      absl::StatusOr<std::optional<T>> item = Produce();
      absl::MutexLock lock(&mutex_);
      if (!item.ok() || !item->has_value()) {
        end_ = item.status();
        return;
      }
      items_.push_back(**std::move(item));
    }
  }
  // False: cancelled.
  bool AwaitRoom() {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(this, &Prefetcher::IsReadyToProduce));
    return !is_cancelled_;
  }
  absl::StatusOr<std::optional<T>> Produce() {
    try {
      return producer_();
    } catch (const std::exception& e) {
      return absl::UnknownError(
          absl::StrCat(name_, ": the producer threw: ", e.what()));
    } catch (...) {
      return absl::UnknownError(
          absl::StrCat(name_, ": the producer threw something"));
    }
  }
  bool IsReadyToProduce() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return is_cancelled_ || items_.size() < capacity_;
  }
  bool HasAnswer() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return is_cancelled_ || !items_.empty() || end_.has_value();
  }

  const Producer producer_;  // on the thread
  const std::string name_;
  const size_t capacity_;
  absl::Mutex mutex_;
  std::deque<T> items_ ABSL_GUARDED_BY(mutex_);
  int64_t taken_ ABSL_GUARDED_BY(mutex_) = 0;
  // Why the producer is not called again: its error, or OK for no more items.
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);
  bool is_cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_DATA_PREFETCHER_H_
