#ifndef LOCKSTEP_COORDINATOR_HEALTH_LINE_LIMIT_H_
#define LOCKSTEP_COORDINATOR_HEALTH_LINE_LIMIT_H_

#include <map>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace lockstep::internal {

// Lines of the log of which many of one kind may come at a time: a loop whose
// every call fails on a link that is cut makes fifty in a second. The first
// ones of an interval are logged, the rest are counted. Not thread-safe.
class LineLimit {
 public:
  LineLimit(int most, absl::Duration interval)
      : most_(most), interval_(interval) {}

  // Whether a line of `kind` is to be logged; false: it is counted.
  bool Admits(const std::string& kind, absl::Time now);
  // "47 more launches failed on host 1 (b)" for each kind, which reads
  // "launches failed on host 1 (b)", whose interval is over and that was
  // counted.
  std::vector<std::string> Tick(absl::Time now);

 private:
  struct Interval {
    absl::Time begin;
    int logged = 0;
    int counted = 0;
  };

  const int most_;
  const absl::Duration interval_;
  std::map<std::string, Interval> intervals_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_HEALTH_LINE_LIMIT_H_
