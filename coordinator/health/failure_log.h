#ifndef LOCKSTEP_COORDINATOR_HEALTH_FAILURE_LOG_H_
#define LOCKSTEP_COORDINATOR_HEALTH_FAILURE_LOG_H_

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {

// First causes, and what followed from them (spec M-24). Not thread-safe; owned
// by Coordinator.
class FailureLog {
 public:
  // A launch failed on `origin`. Returns the failure to tell everybody, or none
  // when the launch has failed before, or because of a host that was reported
  // already: then it becomes collateral of that.
  std::optional<Failure> AddLaunchFailure(const HostRef& origin,
                                          const LaunchFailure& failure);
  // A host is lost. `running`: what it took part in.
  Failure AddHostFailure(const HostRef& origin, const absl::Status& cause,
                         const std::string& running);

  // The failure of a launch or its call; null: it has not failed.
  const Failure* Find(const LaunchKey& launch) const;
  bool HasFailed(const LaunchKey& launch) const {
    return Find(launch) != nullptr;
  }
  // A replacement joined, launches are counted anew: what failed so far is
  // history.
  void CloseAll();

  // The latest ones, oldest first.
  std::vector<Failure> failures() const;

 private:
  struct Entry {
    Failure failure;
    bool is_closed = false;
  };
  const Failure& Remember(Failure failure);

  std::deque<Entry> entries_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_HEALTH_FAILURE_LOG_H_
