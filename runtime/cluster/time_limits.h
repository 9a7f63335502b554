#ifndef LOCKSTEP_RUNTIME_CLUSTER_TIME_LIMITS_H_
#define LOCKSTEP_RUNTIME_CLUSTER_TIME_LIMITS_H_

#include "absl/time/time.h"

namespace lockstep::internal {

// The limits that all processes of a cluster share: the coordinator's, which
// others hear with the roster. Whatever else waits for a verdict of the
// coordinator derives its limit from these, so that the first cause is not
// lost when one of them is raised.
struct TimeLimits {
  absl::Duration report_interval = absl::Seconds(1);
  // A host that has not reported for so long is dead.
  absl::Duration silence = absl::Seconds(3);
  // From the join of a host until it and all others reach each other.
  absl::Duration link_deadline = absl::Seconds(60);

  // Two live hosts of which one has heard nothing of the other for so long
  // cannot reach each other.
  absl::Duration LinkSilence() const { return silence - report_interval / 2; }
  // By then the coordinator has said what became of a host, or of the link to
  // it: the limit, the report that tells of it, and a moment.
  absl::Duration Verdict() const { return silence + 3 * report_interval; }

  friend bool operator==(const TimeLimits&, const TimeLimits&) = default;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_TIME_LIMITS_H_
