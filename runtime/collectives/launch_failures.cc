#include "runtime/collectives/launch_failures.h"

#include <utility>

namespace lockstep::internal {

bool LaunchFailures::Fail(const LaunchId& launch, const absl::Status& cause) {
  std::vector<std::weak_ptr<Listener>> listeners;
  {
    absl::MutexLock lock(&mutex_);
    if (!causes_.emplace(launch, cause).second) return false;
    order_.push_back(launch);
    if (order_.size() > capacity_) {
      causes_.erase(order_.front());
      order_.pop_front();
    }
    listeners = listeners_;
  }
  for (const std::weak_ptr<Listener>& weak : listeners) {
    if (std::shared_ptr<Listener> listener = weak.lock()) {
      listener->OnLaunchFailed(launch, cause);
    }
  }
  return true;
}

absl::Status LaunchFailures::Find(const LaunchId& launch) const {
  absl::MutexLock lock(&mutex_);
  auto it = causes_.find(launch);
  return it == causes_.end() ? absl::OkStatus() : it->second;
}

void LaunchFailures::Listen(std::weak_ptr<Listener> listener) {
  absl::MutexLock lock(&mutex_);
  std::erase_if(listeners_, [](const auto& weak) { return weak.expired(); });
  listeners_.push_back(std::move(listener));
}

}  // namespace lockstep::internal
