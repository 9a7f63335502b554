#ifndef LOCKSTEP_PROTO_WRITE_QUEUE_H_
#define LOCKSTEP_PROTO_WRITE_QUEUE_H_

#include <deque>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "proto/grpc_status.h"

namespace lockstep::internal {

// What a reactor has yet to write: gRPC takes one message at a time, and the
// end after the last one. `Reactor` has StartWrite and Finish. Thread-safe.
template <typename Reactor, typename Message>
class WriteQueue {
 public:
  explicit WriteQueue(Reactor* reactor) : reactor_(*reactor) {}

  void Send(Message message) {
    absl::MutexLock lock(&mutex_);
    if (end_.has_value()) return;
    queue_.push_back(std::move(message));
    if (queue_.size() == 1) reactor_.StartWrite(&queue_.front());
  }
  // Nothing is sent afterwards. The first call counts.
  void End(const absl::Status& status) {
    absl::MutexLock lock(&mutex_);
    if (end_.has_value()) return;
    end_ = status;
    if (queue_.empty()) reactor_.Finish(ToGrpcStatus(*end_));
  }
  // For the reactor's OnWriteDone.
  void OnWriteDone(bool ok) {
    absl::MutexLock lock(&mutex_);
    if (ok) {
      queue_.pop_front();
    } else {
      queue_.clear();
    }
    if (!queue_.empty()) {
      reactor_.StartWrite(&queue_.front());
    } else if (end_.has_value()) {
      reactor_.Finish(ToGrpcStatus(*end_));
    }
  }

 private:
  Reactor& reactor_;
  absl::Mutex mutex_;
  std::deque<Message> queue_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_WRITE_QUEUE_H_
