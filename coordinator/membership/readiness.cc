#include "coordinator/membership/readiness.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

void Readiness::Add(const HostRef& host) {
  EndWaits(host.id);
  awaited_[host.id] = host;
}

void Readiness::Remove(HostId host) {
  EndWaits(host);
  awaited_.erase(host);
  AnswerIfReady();
}

void Readiness::EndWaits(HostId host) {
  for (Waiter& waiter : std::exchange(waiters_, {})) {
    if (waiter.host.id == host) {
      waiter.done(absl::FailedPreconditionError(
          absl::StrCat(ToString(waiter.host), " is no member any more")));
    } else {
      waiters_.push_back(std::move(waiter));
    }
  }
}

void Readiness::Clear() {
  awaited_.clear();
  for (Waiter& waiter : std::exchange(waiters_, {})) {
    waiter.done(absl::FailedPreconditionError(
        absl::StrCat(ToString(waiter.host), " is no member any more")));
  }
}

void Readiness::Arrive(const HostRef& host, absl::Time deadline,
                       Done<Nothing> done) {
  awaited_.erase(host.id);
  waiters_.push_back({host, deadline, std::move(done)});
  AnswerIfReady();
}

void Readiness::AnswerIfReady() {
  if (!is_ready()) return;
  for (Waiter& waiter : std::exchange(waiters_, {})) waiter.done(Nothing());
}

void Readiness::Tick(absl::Time now) {
  const bool is_late =
      std::any_of(waiters_.begin(), waiters_.end(),
                  [&](const Waiter& waiter) { return now >= waiter.deadline; });
  if (!is_late) return;
  std::vector<HostRef> missing;
  for (const auto& [id, host] : awaited_) missing.push_back(host);
  const absl::Status status = absl::DeadlineExceededError(absl::StrCat(
      "not connected to all other hosts in time: ", HostList(missing)));
  for (Waiter& waiter : std::exchange(waiters_, {})) {
    if (now >= waiter.deadline) {
      waiter.done(status);
    } else {
      waiters_.push_back(std::move(waiter));
    }
  }
}

}  // namespace lockstep::internal
