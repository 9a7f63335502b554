#ifndef LOCKSTEP_RUNTIME_BACKENDS_SCHEDULE_BUILDER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_SCHEDULE_BUILDER_H_

#include "absl/status/statusor.h"
#include "runtime/backends/schedule.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

struct ScheduleOptions {
  // KernelEmitter::has_device_collectives.
  bool has_device_collectives = false;
};

// Schedules the entry function of a verified module in program order. Called
// functions are inlined, barriers vanish, constants become data. UNIMPLEMENTED,
// with location, for values that are no tensors; RESOURCE_EXHAUSTED when
// inlining gives more than kMaxScheduledSteps.
absl::StatusOr<Schedule> BuildSchedule(const Module& module,
                                       const ScheduleOptions& options);

inline constexpr int64_t kMaxScheduledSteps = int64_t{1} << 20;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_SCHEDULE_BUILDER_H_
