#include "runtime/collectives/hierarchical/launch_calls.h"

#include "absl/strings/str_cat.h"
#include "runtime/cluster/shared_cause.h"

namespace lockstep::internal {

LaunchCalls::Entry& LaunchCalls::Find(const LaunchId& launch) {
  const auto [it, is_new] = entries_.try_emplace(launch);
  if (is_new) {
    order_.push_back(launch);
    if (order_.size() > capacity_) {
      entries_.erase(order_.front());
      order_.pop_front();
      return entries_.at(launch);
    }
  }
  return it->second;
}

absl::Status LaunchCalls::Compare(const LaunchId& launch, const Entry& entry) {
  const CallDescription& own = entry.own.call;
  const CallDescription& other = entry.other.call;
  if (own.digest == 0 || other.digest == 0 || own.digest == other.digest) {
    return absl::OkStatus();
  }
  return AsSharedCause(absl::FailedPreconditionError(absl::StrCat(
      "hosts make different calls: ", ToString(entry.own.host), " makes ",
      CallText(launch.launch, own.text), "; ", ToString(entry.other.host),
      " makes ", CallText(launch.launch, other.text))));
}

absl::Status LaunchCalls::AddOwn(const LaunchId& launch, const HostRef& self,
                                 const CallDescription& call) {
  absl::MutexLock lock(&mutex_);
  Entry& entry = Find(launch);
  entry.own = {self, call};
  return Compare(launch, entry);
}

absl::Status LaunchCalls::AddOther(const LaunchId& launch, const HostRef& host,
                                   const CallDescription& call) {
  if (call.digest == 0) return absl::OkStatus();
  absl::MutexLock lock(&mutex_);
  Entry& entry = Find(launch);
  Side& other = entry.other;
  const bool is_known =
      other.call.digest == call.digest && !other.call.text.empty();
  const bool would_hide = other.call.digest != 0 &&
                          other.call.digest != entry.own.call.digest &&
                          entry.own.call.digest != 0;
  if (!is_known && !would_hide) other = {host, call};
  return Compare(launch, entry);
}

CallDescription LaunchCalls::Own(const LaunchId& launch) const {
  absl::MutexLock lock(&mutex_);
  const auto it = entries_.find(launch);
  return it == entries_.end() ? CallDescription() : it->second.own.call;
}

}  // namespace lockstep::internal
