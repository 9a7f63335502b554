#include "client/cluster/roster_fetch.h"

#include <utility>

#include "proto/callback_threads.h"
#include "proto/grpc_status.h"

namespace lockstep::internal {

RosterFetch::~RosterFetch() {
  absl::MutexLock lock(&mutex_);
  is_ending_ = true;
  if (is_running_) context_->TryCancel();
  const auto is_over = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return !is_running_;
  };
  mutex_.Await(absl::Condition(&is_over));
}

void RosterFetch::Start() {
  absl::MutexLock lock(&mutex_);
  if (is_ending_) return;
  if (is_running_) {
    is_due_again_ = true;
  } else {
    StartCall();
  }
}

void RosterFetch::StartCall() {
  KeepCallbackThreads();
  is_running_ = true;
  is_due_again_ = false;
  update_.Clear();
  context_.emplace();
  context_->set_wait_for_ready(true);
  stub_.async()->FetchRoster(
      &*context_, &request_, &update_,
      [this](const grpc::Status& status) { OnDone(status); });
}

void RosterFetch::OnDone(const grpc::Status& status) {
  const absl::Status fetched = FromGrpcStatus(status);
  const bool is_broken = absl::IsUnavailable(fetched);
  if (fetched.ok()) {
    callback_(std::move(update_));
  } else if (!is_broken) {
    callback_(fetched);
  }
  absl::MutexLock lock(&mutex_);
  if ((is_broken || is_due_again_) && !is_ending_) {
    StartCall();
  } else {
    is_running_ = false;
  }
}

}  // namespace lockstep::internal
