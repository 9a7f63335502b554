#ifndef LOCKSTEP_RUNTIME_CLUSTER_PREEMPTION_H_
#define LOCKSTEP_RUNTIME_CLUSTER_PREEMPTION_H_

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace lockstep::internal {

// The last step of a host whose program has asked about none.
inline constexpr int64_t kNoStep = -1;

// The sync step where no host's program has asked about one: that is the first
// that it comes to, step 0 or where it goes on from.
inline constexpr int64_t kFirstStep = 0;

// What became of an agreement on a preemption, the same on all hosts (spec
// M-28).
struct PreemptionOutcome {
  int64_t agreement = 0;  // its number in the cluster, from 1
  // The step at which all hosts save, or why there is none.
  absl::StatusOr<int64_t> sync_step;
};

// The first step that no host has asked about, when `last` is the latest that
// one has. `earlier` is the sync step of the agreement before, kNoStep: none.
// While that is ahead of all hosts it stays; when some host has reached it,
// there is another one.
inline int64_t SyncStepAfter(int64_t last, int64_t earlier) {
  static_assert(kNoStep + 1 == kFirstStep);
  return std::max(last + 1, earlier);
}

// For messages: all hosts save at "step 8".
inline std::string SyncStepText(int64_t sync_step) {
  return sync_step == kFirstStep ? "the first step that they come to"
                                 : absl::StrCat("step ", sync_step);
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_PREEMPTION_H_
