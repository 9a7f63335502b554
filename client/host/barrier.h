#ifndef LOCKSTEP_CLIENT_HOST_BARRIER_H_
#define LOCKSTEP_CLIENT_HOST_BARRIER_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace lockstep {

struct BarrierOptions {
  // Who meets, by id; none: all hosts of the cluster. The first one's, and its
  // deadline, count for all.
  std::vector<int> hosts = {};
  absl::Duration deadline = absl::Seconds(300);
};

// Waits until all of the hosts have called it as often as this one has, in the
// host view (spec M-21). Apart from SyncHosts it waits for no launches, and has
// no place among the calls that hosts make in one order: any thread may call
// it, one at a time with each name. Errors:
//   DEADLINE_EXCEEDED    on all, also on those who come later: names the hosts
//                        that are missing, and what they do
//   ABORTED              on all, at once: a host died or left, which it names
//   INVALID_ARGUMENT     a host that the cluster does not have, or is not among
//                        `hosts`, this one too; on all, when they name
//                        different ones
//   FAILED_PRECONDITION  a thread of this host waits there; after Shutdown;
//                        within a callback of a program
//   UNAVAILABLE          the coordinator is lost
absl::Status Barrier(absl::string_view name,
                     const BarrierOptions& options = {});

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_HOST_BARRIER_H_
