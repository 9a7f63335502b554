#include "runtime/executor/device_launch.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "runtime/base/check.h"
#include "runtime/base/cores.h"
#include "runtime/base/status.h"
#include "runtime/devices/following_event.h"
#include "runtime/executable/collective_tracker.h"

namespace lockstep::internal {
namespace {

using Phase = ProgressCell::Phase;

// One device's part, from its preparation until all that it has put on the
// queue has run.
struct Part {
  Part(const Executable& executable, std::vector<LaunchArgument> arguments)
      : arguments(std::move(arguments)),
        cliques(executable.clique_slot_count()) {}

  std::vector<LaunchArgument> arguments;
  // What was replaced by MakeWritable.
  std::vector<std::shared_ptr<DeviceMemory>> copied;
  std::shared_ptr<DeviceMemory> arena;
  std::vector<std::shared_ptr<DeviceMemory>> results;
  AcquiredCliques cliques;
  std::optional<CollectiveTracker> tracker;
  ExecuteContext context;
};

// Makes memory that others have too the launch's own.
absl::Status MakeWritable(const DeviceLaunch& launch, Part& part,
                          std::shared_ptr<DeviceMemory>& memory) {
  if (memory->is_writable()) return absl::OkStatus();
  LocalDevice& device = launch.arena->device();
  ASSIGN_OR_RETURN(std::shared_ptr<DeviceMemory> copy,
                   device.Allocate(memory->size()));
  device.compute_queue().Copy(*launch.group, copy->address(),
                              memory->address());
  part.copied.push_back(std::exchange(memory, std::move(copy)));
  return absl::OkStatus();
}

absl::Status TakeMemory(const DeviceLaunch& launch, Part& part) {
  const Executable& executable = *launch.executable;
  LocalDevice& device = launch.arena->device();
  RETURN_IF_ERROR(launch.arena->CheckFits(executable.launch_bytes()));
  for (size_t i = 0; i < executable.result_shapes().size(); ++i) {
    std::shared_ptr<DeviceMemory>& result = part.results.emplace_back();
    if (auto position = executable.AliasedArgument(static_cast<int>(i))) {
      LaunchArgument& argument = part.arguments[*position];
      LOCKSTEP_CHECK(argument.is_donated);
      RETURN_IF_ERROR(MakeWritable(launch, part, argument.value.memory));
      result = argument.value.memory;
      continue;
    }
    ASSIGN_OR_RETURN(
        result, device.Allocate(executable.result_shapes()[i].byte_size()));
  }
  BufferTable& buffers = part.context.buffers;
  for (const BufferAllocation& allocation : executable.allocations()) {
    switch (allocation.kind) {
      case BufferAllocation::Kind::kArena: {
        ASSIGN_OR_RETURN(part.arena, launch.arena->Take(allocation.size));
        buffers.Append(part.arena->address());
        break;
      }
      case BufferAllocation::Kind::kConstant:
        buffers.Append(launch.constants->address(allocation.index));
        break;
      case BufferAllocation::Kind::kArgument:
        buffers.Append(
            part.arguments[allocation.index].value.memory->address());
        break;
      case BufferAllocation::Kind::kResult:
        buffers.Append(part.results[allocation.index]->address());
        break;
    }
  }
  return absl::OkStatus();
}

absl::Status Prepare(const DeviceLaunch& launch, AcquiredCliques& cliques) {
  PrepareContext context;
  context.flattened_id = launch.flattened_id;
  context.members = launch.members;
  context.clique_provider = launch.clique_provider;
  context.cliques = &cliques;
  RETURN_IF_ERROR(launch.executable->thunks().Prepare(context));
  DeviceQueue& queue = launch.arena->device().compute_queue();
  if (queue.is_inline() || launch.executable->clique_slot_count() == 0) {
    return absl::OkStatus();
  }
  CollectiveCall call = CallIn(*launch.info, launch.group->cancellation());
  call.description =
      absl::StrCat("the start of launch ", launch.info->number.value(), " (",
                   launch.info->program, "), ", context.first_collective);
  // This may be a wait for other hosts: whoever does not come is looked for as
  // in a collective.
  launch.progress->SetPhase(Phase::kWaiting);
  RETURN_IF_ERROR(cliques.Prepare(queue, call));
  launch.progress->SetPhase(Phase::kPreparing);
  return absl::OkStatus();
}

// The cores of this process, shared by its devices.
int IntraOpThreads(int device_count) {
  return std::max(1, CoresOfProcess() / std::max(1, device_count));
}

void FillContext(const DeviceLaunch& launch, int device_threads, Part& part) {
  ExecuteContext& context = part.context;
  context.queue = &launch.arena->device().compute_queue();
  context.collective_queue = &launch.arena->device().collective_queue();
  context.scope = launch.group;
  context.launch = launch.info;
  context.cliques = &part.cliques;
  context.is_on_host =
      context.queue->is_inline() && context.buffers.host_accessible();
  if (context.is_on_host) {
    for (const DeviceAddress& address : context.buffers.addresses()) {
      context.host.buffers.Append(address.host_bytes());
    }
  }
  const int32_t partitions = launch.executable->partition_count();
  context.host.flattened_id = launch.flattened_id;
  context.host.replica_id = launch.flattened_id / partitions;
  context.host.partition_id = launch.flattened_id % partitions;
  context.host.cancellation = &launch.group->cancellation();
  context.host.progress = launch.progress;
  context.host.intra_op_threads = IntraOpThreads(device_threads);
  if (!launch.members.empty()) {
    part.tracker.emplace(launch.members[launch.flattened_id].device,
                         launch.group->ledger(), *launch.progress,
                         /*counts_thunks=*/!context.is_on_host);
    part.tracker->SetProfile(launch.profile);
    context.observer = &*part.tracker;
  }
  context.host.profile = launch.profile;
  if (launch.profile != nullptr) {
    launch.profile->SetThreads(context.host.intra_op_threads);
  }
}

absl::Status CheckProfile(const DeviceLaunch& launch) {
  LocalDevice& device = launch.arena->device();
  if (launch.profile == nullptr || device.compute_queue().is_inline()) {
    return absl::OkStatus();
  }
  return absl::UnimplementedError(
      absl::StrCat("a profile of ", device.name(),
                   ", which executes what it is given later: profiles are made "
                   "of devices of "
                   "the platform cpu"));
}

absl::Status PreparePart(const DeviceLaunch& launch, int device_threads,
                         Part& part) {
  LOCKSTEP_CHECK(part.arguments.size() ==
                 launch.executable->argument_shapes().size());
  launch.progress->SetPhase(Phase::kPreparing);
  RETURN_IF_ERROR(CheckProfile(launch));
  DeviceQueue& queue = launch.arena->device().compute_queue();
  for (const LaunchArgument& argument : part.arguments) {
    queue.Wait(*launch.group, argument.value.ready);
  }
  if (launch.profile != nullptr) launch.profile->BeginLaunch(absl::Now());
  RETURN_IF_ERROR(TakeMemory(launch, part));
  RETURN_IF_ERROR(Prepare(launch, part.cliques));
  FillContext(launch, device_threads, part);
  return absl::OkStatus();
}

// After the thunks have run: the device meets nobody any more in this launch.
absl::Status LeaveLedger(const DeviceLaunch& launch, const Part& part) {
  if (launch.members.empty()) return absl::OkStatus();
  return launch.group->ledger().Finish(
      launch.members[launch.flattened_id].device, part.cliques);
}

absl::Status Run(const DeviceLaunch& launch, Part& part) {
  RETURN_IF_ERROR(PreparePart(launch, launch.group->device_count(), part));
  // Devices that do not meet need not wait for each other either.
  if (launch.executable->clique_slot_count() > 0) {
    RETURN_IF_ERROR(launch.group->AwaitAllPrepared());
  }
  launch.progress->SetPhase(Phase::kRunning);
  RETURN_IF_ERROR(launch.executable->thunks().Execute(part.context));
  if (launch.profile != nullptr) launch.profile->EndLaunch();
  return absl::OkStatus();
}

absl::Status RunAll(absl::Span<const DeviceLaunch> devices,
                    std::deque<Part>& parts) {
  for (size_t i = 0; i < devices.size(); ++i) {
    RETURN_IF_ERROR(PreparePart(devices[i], /*device_threads=*/1, parts[i]));
  }
  std::vector<ExecuteContext*> contexts;
  for (size_t i = 0; i < devices.size(); ++i) {
    LOCKSTEP_CHECK(parts[i].context.is_on_host);
    devices[i].progress->SetPhase(Phase::kRunning);
    contexts.push_back(&parts[i].context);
  }
  RETURN_IF_ERROR(devices[0].executable->thunks().ExecuteTogether(contexts));
  for (const DeviceLaunch& device : devices) {
    if (device.profile != nullptr) device.profile->EndLaunch();
  }
  return devices[0].group->status();
}

Phase PhaseAfter(const absl::Status& status) {
  return status.ok() ? Phase::kDone : Phase::kFailed;
}

// On a queue that is inline.
absl::StatusOr<LaunchResults> RunInline(const DeviceLaunch& launch,
                                        std::vector<LaunchArgument> arguments) {
  Part part(*launch.executable, std::move(arguments));
  absl::Status status = Run(launch, part);
  if (status.ok()) status = LeaveLedger(launch, part);
  if (!status.ok()) launch.group->Fail(status);
  // After a failure nobody else has waited for them.
  part.context.in_flight.AwaitAll();
  status = launch.group->status();
  launch.progress->SetPhase(PhaseAfter(status));
  if (!status.ok()) return status;
  return LaunchResults{std::move(part.results), nullptr};
}

}  // namespace

absl::StatusOr<LaunchResults> RunOnDevice(
    const DeviceLaunch& launch, std::vector<LaunchArgument> arguments) {
  DeviceQueue& queue = launch.arena->device().compute_queue();
  if (queue.is_inline()) return RunInline(launch, std::move(arguments));
  auto part = std::make_shared<Part>(*launch.executable, std::move(arguments));
  if (absl::Status status = Run(launch, *part); !status.ok()) {
    launch.group->Fail(status);
    // What is on the queue already does nothing, but points to the part.
    queue.Record(*launch.group)->Await().IgnoreError();
    part->context.in_flight.AwaitAll();
    launch.progress->SetPhase(Phase::kFailed);
    return launch.group->status();
  }
  LaunchResults results;
  results.memory = part->results;
  // Whoever waits for `done` may then destroy all that the launch points to: it
  // comes after the last use, not with the device's own event.
  const std::shared_ptr<DeviceEvent> recorded = queue.Record(*launch.group);
  results.done = std::make_shared<FollowingEvent>(recorded);
  // Not by a call on the queue, which would keep what comes behind from the
  // device until it has been made.
  recorded->OnReady([launch, part = std::move(part),
                     done = results.done](absl::Status status) mutable {
    if (status.ok()) {
      status = LeaveLedger(launch, *part);
      if (!status.ok()) {
        launch.group->Fail(status);
        status = launch.group->status();
      }
    }
    part.reset();
    launch.progress->SetPhase(PhaseAfter(status));
    done->Finish(status);
  });
  return results;
}

absl::StatusOr<std::vector<LaunchResults>> RunTogether(
    absl::Span<const DeviceLaunch> devices,
    std::vector<std::vector<LaunchArgument>> arguments) {
  std::deque<Part> parts;
  for (size_t i = 0; i < devices.size(); ++i) {
    parts.emplace_back(*devices[i].executable, std::move(arguments[i]));
  }
  absl::Status status = RunAll(devices, parts);
  if (!status.ok()) {
    devices[0].group->Fail(status);
    status = devices[0].group->status();
  }
  for (const DeviceLaunch& device : devices) {
    device.progress->SetPhase(PhaseAfter(status));
  }
  if (!status.ok()) return status;
  std::vector<LaunchResults> results;
  for (Part& part : parts) {
    results.push_back({std::move(part.results), nullptr});
  }
  return results;
}

}  // namespace lockstep::internal
