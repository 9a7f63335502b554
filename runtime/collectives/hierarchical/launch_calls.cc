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
  for (const Side& other : entry.others) {
    const uint64_t digest = other.call.digest;
    if (own.digest == 0 || digest == 0 || own.digest == digest) continue;
    return AsSharedCause(absl::FailedPreconditionError(absl::StrCat(
        "hosts make different calls: ", ToString(entry.own.host), " makes ",
        CallText(launch.launch, own.text), "; ", ToString(other.host),
        " makes ", CallText(launch.launch, other.call.text))));
  }
  return absl::OkStatus();
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
  for (Side& other : entry.others) {
    const uint64_t known = other.call.digest;
    if (known != 0 && known != call.digest) continue;
    if (known == 0 || other.call.text.empty()) other = {host, call};
    break;
  }
  return Compare(launch, entry);
}

CallDescription LaunchCalls::Own(const LaunchId& launch) const {
  absl::MutexLock lock(&mutex_);
  const auto it = entries_.find(launch);
  return it == entries_.end() ? CallDescription() : it->second.own.call;
}

uint64_t LaunchCalls::OwnDigest(const LaunchId& launch) const {
  absl::MutexLock lock(&mutex_);
  const auto it = entries_.find(launch);
  return it == entries_.end() ? 0 : it->second.own.call.digest;
}

}  // namespace lockstep::internal
