#ifndef LOCKSTEP_COORDINATOR_MEMBERSHIP_READINESS_H_
#define LOCKSTEP_COORDINATOR_MEMBERSHIP_READINESS_H_

#include <map>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/base/worker_link.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {

// Which members are ready: reach all others, and serve clients. The cluster is
// when all its live members are. Not thread-safe; owned by Coordinator.
class Readiness {
 public:
  // A life of a member begins; an earlier one of it has ended.
  void Add(const HostRef& host);
  // The present life of a member has ended, and waits no more.
  void Remove(HostId host);
  void Clear();

  // `host` is ready; `done` is answered when the cluster is, or with
  // DEADLINE_EXCEEDED, which names who is not.
  void Arrive(const HostRef& host, absl::Time deadline, Done<Nothing> done);
  // Answers those who wait for too long.
  void Tick(absl::Time now);

  bool is_ready() const { return awaited_.empty(); }

 private:
  struct Waiter {
    HostRef host;
    absl::Time deadline;
    Done<Nothing> done;
  };
  void EndWaits(HostId host);
  void AnswerIfReady();

  std::map<HostId, HostRef> awaited_;  // alive and not ready
  std::vector<Waiter> waiters_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEMBERSHIP_READINESS_H_
