#include "coordinator/readiness.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep {

void Readiness::Arrive(const HostRef& host, absl::Time deadline,
                       Done<Nothing> done) {
  ready_.insert(host.incarnation);
  waiters_.push_back({host, deadline, std::move(done)});
}

bool Readiness::Check(const std::vector<HostRef>& alive, absl::Time now) {
  std::set<Incarnation> lives;
  std::vector<HostRef> missing;
  for (const HostRef& host : alive) {
    lives.insert(host.incarnation);
    if (!ready_.contains(host.incarnation)) missing.push_back(host);
  }
  std::erase_if(ready_,
                [&](Incarnation life) { return !lives.contains(life); });
  for (Waiter& waiter : std::exchange(waiters_, {})) {
    if (!lives.contains(waiter.host.incarnation)) {
      waiter.done(absl::FailedPreconditionError(
          absl::StrCat(ToString(waiter.host), " is no member any more")));
    } else if (missing.empty()) {
      waiter.done(Nothing());
    } else if (now >= waiter.deadline) {
      waiter.done(absl::DeadlineExceededError(absl::StrCat(
          "not connected to all other hosts in time: ", HostList(missing))));
    } else {
      waiters_.push_back(std::move(waiter));
    }
  }
  return missing.empty();
}

}  // namespace lockstep
