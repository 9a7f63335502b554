#ifndef LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_LAUNCH_H_
#define LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_LAUNCH_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/executable/executable.h"
#include "runtime/executable/launch_info.h"
#include "runtime/executable/progress_cell.h"
#include "runtime/executor/device_memory.h"
#include "runtime/executor/launch_group.h"
#include "runtime/types/literal.h"

namespace lockstep {

// One argument of a launch on one device.
struct LaunchArgument {
  // Where it lies; stays valid and unchanged during the launch.
  LiteralView value;
  // Set for a donated argument: owns what `value` shows.
  std::optional<Literal> donated;
};

// One device's part of a launch. Everything outlives the run.
struct DeviceLaunch {
  const Executable* executable = nullptr;
  const LaunchInfo* info = nullptr;
  // The place of this device, and who drives every place, by flattened id.
  int32_t flattened_id = 0;
  absl::Span<const CliqueMember> members;
  CliqueProvider* clique_provider = nullptr;  // null: one device only
  DeviceMemory* memory = nullptr;
  LaunchGroup* group = nullptr;
  ProgressCell* progress = nullptr;
};

// Runs it on the calling thread: takes memory, prepares, waits until all
// devices of the group are prepared, executes. `arguments` must have the
// executable's number, shapes and types; those whose memory a result takes
// over must be donated. A failure goes to the group; what is returned is the
// first cause of the group.
absl::StatusOr<std::vector<Literal>> RunOnDevice(
    const DeviceLaunch& launch, std::vector<LaunchArgument> arguments);

// The same for all devices of a group on the calling thread, where a meeting of
// devices costs no switch of threads; `arguments` by device. For executables
// whose thunks all `runs_together`. Results by device, or the first cause.
absl::StatusOr<std::vector<std::vector<Literal>>> RunTogether(
    absl::Span<const DeviceLaunch> devices,
    std::vector<std::vector<LaunchArgument>> arguments);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_LAUNCH_H_
