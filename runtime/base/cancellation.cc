#include "runtime/base/cancellation.h"

#include <pthread.h>

#include <utility>

#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

uint64_t ThisThread() { return static_cast<uint64_t>(pthread_self()); }

}  // namespace

bool CancellationToken::Cancel(absl::Status cause) {
  LOCKSTEP_CHECK(!cause.ok());
  {
    absl::MutexLock lock(&mutex_);
    if (!cause_.ok()) return false;
    cause_ = std::move(cause);
    is_cancelled_.store(true, std::memory_order_release);
  }
  while (true) {
    std::function<void()> callback;
    {
      absl::MutexLock lock(&mutex_);
      if (callbacks_.empty()) return true;
      auto it = callbacks_.begin();
      running_id_ = it->first;
      running_thread_ = ThisThread();
      callback = std::move(it->second);
      callbacks_.erase(it);
    }
    callback();
    absl::MutexLock lock(&mutex_);
    running_id_ = 0;
    callback_done_.SignalAll();
  }
}

absl::Status CancellationToken::status() const {
  if (!is_cancelled()) return absl::OkStatus();
  absl::MutexLock lock(&mutex_);
  return cause_;
}

CancellationToken::Registration CancellationToken::OnCancel(
    std::function<void()> callback) {
  Registration registration;
  {
    absl::MutexLock lock(&mutex_);
    if (cause_.ok()) {
      registration.token_ = this;
      registration.id_ = next_id_++;
      callbacks_.emplace(registration.id_, std::move(callback));
      return registration;
    }
  }
  callback();
  return registration;
}

CancellationToken::Registration::Registration(Registration&& other) noexcept
    : token_(std::exchange(other.token_, nullptr)), id_(other.id_) {}

CancellationToken::Registration& CancellationToken::Registration::operator=(
    Registration&& other) noexcept {
  Reset();
  token_ = std::exchange(other.token_, nullptr);
  id_ = other.id_;
  return *this;
}

void CancellationToken::Registration::Reset() {
  CancellationToken* token = std::exchange(token_, nullptr);
  if (token == nullptr) return;
  absl::MutexLock lock(&token->mutex_);
  token->callbacks_.erase(id_);
  while (token->running_id_ == id_ && token->running_thread_ != ThisThread()) {
    token->callback_done_.Wait(&token->mutex_);
  }
}

}  // namespace lockstep::internal
