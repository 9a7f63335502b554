#ifndef LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_LAUNCH_H_
#define LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_LAUNCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/devices/transfers.h"
#include "runtime/executable/executable.h"
#include "runtime/executable/launch_info.h"
#include "runtime/executable/profile_recorder.h"
#include "runtime/executable/progress_cell.h"
#include "runtime/executor/device_constants.h"
#include "runtime/executor/launch_arena.h"
#include "runtime/executor/launch_group.h"

namespace lockstep::internal {

// One argument of a launch on one device: of that device's memory, unchanged
// while the launch runs. A result may take over the memory of one that is
// donated, or, where that is not writable, of a copy of it.
struct LaunchArgument {
  PendingMemory value;
  bool is_donated = false;
};

// One device's part of a launch. Everything outlives the run.
struct DeviceLaunch {
  const Executable* executable = nullptr;
  const LaunchInfo* info = nullptr;
  // The place of this device, and who drives every place, by flattened id.
  int32_t flattened_id = 0;
  absl::Span<const CliqueMember> members;
  CliqueProvider* clique_provider = nullptr;   // null: one device only
  const DeviceConstants* constants = nullptr;  // null: it has none
  LaunchArena* arena = nullptr;
  LaunchGroup* group = nullptr;
  ProgressCell* progress = nullptr;
  // Times its part; null: nobody. UNIMPLEMENTED on devices whose queues are not
  // inline.
  ProfileRecorder* profile = nullptr;
};

// What a launch gives on one device.
struct LaunchResults {
  std::vector<std::shared_ptr<DeviceMemory>> memory;
  // Done when the results are there and nothing of the launch runs any more on
  // the device; null: now.
  std::shared_ptr<DeviceEvent> done;
};

// Queues it on the device: takes memory, prepares, waits until all devices of
// the group are prepared, executes. What is inline has run when this returns.
// `arguments` must have the executable's number, shapes and types; those whose
// memory a result takes over must be donated. A failure goes to the group; what
// is returned, or what `done` fails with, is the first cause of the group.
absl::StatusOr<LaunchResults> RunOnDevice(
    const DeviceLaunch& launch, std::vector<LaunchArgument> arguments);

// The same for all devices of a group on the calling thread, where a meeting of
// devices costs no switch of threads; `arguments` by device. For devices whose
// queues are inline, and executables whose thunks all `runs_together`. Results
// by device, or the first cause.
absl::StatusOr<std::vector<LaunchResults>> RunTogether(
    absl::Span<const DeviceLaunch> devices,
    std::vector<std::vector<LaunchArgument>> arguments);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_LAUNCH_H_
