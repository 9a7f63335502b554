#include "runtime/worker/session/pending_calls.h"

#include <utility>

#include "proto/convert.h"

namespace lockstep::internal {

absl::StatusOr<uint64_t> PendingCalls::Add() {
  absl::MutexLock lock(&mutex_);
  if (!closed_.ok()) return closed_;
  calls_.emplace(++last_id_, std::nullopt);
  return last_id_;
}

absl::StatusOr<proto::CoordinatorMessage> PendingCalls::Await(
    uint64_t id, CancellationToken* cancellation, absl::Time deadline) {
  CancellationToken::Registration registration;
  if (cancellation != nullptr) {
    // Locking makes the waiter's condition be evaluated again.
    registration =
        cancellation->OnCancel([this] { absl::MutexLock lock(&mutex_); });
  }
  auto is_decided = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return calls_[id].has_value() || !closed_.ok() ||
           (cancellation != nullptr && cancellation->is_cancelled());
  };
  absl::MutexLock lock(&mutex_);
  bool is_in_time =
      mutex_.AwaitWithDeadline(absl::Condition(&is_decided), deadline);
  std::optional<proto::CoordinatorMessage> reply = std::move(calls_[id]);
  calls_.erase(id);
  if (reply.has_value()) {
    if (reply->has_error()) return FromProto(reply->error());
    return *std::move(reply);
  }
  if (!closed_.ok()) return closed_;
  if (!is_in_time) {
    return absl::DeadlineExceededError("no answer from the coordinator");
  }
  return cancellation->status();
}

void PendingCalls::Answer(proto::CoordinatorMessage reply) {
  absl::MutexLock lock(&mutex_);
  auto call = calls_.find(reply.request_id());
  if (call != calls_.end()) call->second = std::move(reply);
}

void PendingCalls::Close(absl::Status status) {
  absl::MutexLock lock(&mutex_);
  if (closed_.ok()) closed_ = std::move(status);
}

absl::Status PendingCalls::closed() const {
  absl::MutexLock lock(&mutex_);
  return closed_;
}

}  // namespace lockstep::internal
