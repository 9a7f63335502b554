#include "runtime/executor/device_launch.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

// The memory of one launch on one device.
struct LaunchMemory {
  std::vector<Literal> results;  // empty literals where an argument is reused
  BufferTable table;
};

absl::StatusOr<LaunchMemory> TakeMemory(
    const Executable& executable, DeviceMemory& memory,
    std::vector<LaunchArgument>& arguments) {
  RETURN_IF_ERROR(memory.CheckFits(executable.launch_bytes()));
  LaunchMemory taken;
  for (size_t i = 0; i < executable.result_shapes().size(); ++i) {
    if (executable.AliasedArgument(static_cast<int>(i))) {
      taken.results.emplace_back();
      continue;
    }
    ASSIGN_OR_RETURN(Literal result,
                     Literal::Allocate(executable.result_shapes()[i]));
    taken.results.push_back(std::move(result));
  }
  std::vector<std::byte*> bases;
  for (const BufferAllocation& allocation : executable.allocations()) {
    std::byte* base = nullptr;
    switch (allocation.kind) {
      case BufferAllocation::Kind::kArena: {
        ASSIGN_OR_RETURN(base, memory.Arena(allocation.size));
        break;
      }
      case BufferAllocation::Kind::kConstant:
        // Thunks never write to constants.
        base = const_cast<std::byte*>(
            executable.constants()[allocation.index]->bytes());
        break;
      case BufferAllocation::Kind::kArgument: {
        LaunchArgument& argument = arguments[allocation.index];
        base = argument.donated
                   ? argument.donated->mutable_bytes()
                   : const_cast<std::byte*>(argument.value.bytes());
        break;
      }
      case BufferAllocation::Kind::kResult:
        base = taken.results[allocation.index].mutable_bytes();
        break;
    }
    bases.push_back(base);
  }
  taken.table = BufferTable(std::move(bases));
  return taken;
}

absl::Status Prepare(const DeviceLaunch& launch, AcquiredCliques& cliques) {
  PrepareContext context;
  context.flattened_id = launch.flattened_id;
  context.members = launch.members;
  context.clique_provider = launch.clique_provider;
  context.cliques = &cliques;
  return launch.executable->thunks().Prepare(context);
}

// The cores of this machine, shared by its devices.
int IntraOpThreads(int device_count) {
  static const int cores =
      static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return std::max(1, cores / std::max(1, device_count));
}

// One device's part between its preparation and its results.
struct Part {
  std::vector<LaunchArgument> arguments;
  LaunchMemory memory;
  AcquiredCliques cliques;
};

absl::StatusOr<Part> PreparePart(const DeviceLaunch& launch,
                                 std::vector<LaunchArgument> arguments) {
  const Executable& executable = *launch.executable;
  LOCKSTEP_CHECK(arguments.size() == executable.argument_shapes().size());
  launch.progress->SetPhase(ProgressCell::Phase::kPreparing);
  Part part{std::move(arguments),
            {},
            AcquiredCliques(executable.clique_slot_count())};
  ASSIGN_OR_RETURN(part.memory,
                   TakeMemory(executable, *launch.memory, part.arguments));
  RETURN_IF_ERROR(Prepare(launch, part.cliques));
  return part;
}

ExecuteContext ContextOf(const DeviceLaunch& launch, Part& part,
                         int device_threads) {
  ExecuteContext context;
  const int32_t partitions = launch.executable->partition_count();
  context.flattened_id = launch.flattened_id;
  context.replica_id = launch.flattened_id / partitions;
  context.partition_id = launch.flattened_id % partitions;
  context.buffers = std::move(part.memory.table);
  context.launch = launch.info;
  context.cliques = &part.cliques;
  context.ledger = &launch.group->ledger();
  context.cancellation = &launch.group->cancellation();
  context.progress = launch.progress;
  context.intra_op_threads = IntraOpThreads(device_threads);
  return context;
}

absl::Status Execute(const DeviceLaunch& launch, Part& part) {
  ExecuteContext context =
      ContextOf(launch, part, launch.group->device_count());
  RETURN_IF_ERROR(launch.executable->thunks().Execute(context));
  if (launch.members.empty()) return absl::OkStatus();
  return launch.group->ledger().Finish(
      launch.members[launch.flattened_id].device, part.cliques);
}

std::vector<Literal> ResultsOf(const Executable& executable, Part& part) {
  for (size_t i = 0; i < part.memory.results.size(); ++i) {
    const std::optional<int> alias =
        executable.AliasedArgument(static_cast<int>(i));
    if (!alias) continue;
    LOCKSTEP_CHECK(part.arguments[*alias].donated.has_value());
    part.memory.results[i] = *std::move(part.arguments[*alias].donated);
  }
  return std::move(part.memory.results);
}

absl::StatusOr<std::vector<Literal>> Run(
    const DeviceLaunch& launch, std::vector<LaunchArgument> arguments) {
  const Executable& executable = *launch.executable;
  ASSIGN_OR_RETURN(Part part, PreparePart(launch, std::move(arguments)));
  // Devices that do not meet need not wait for each other either.
  if (executable.clique_slot_count() > 0) {
    RETURN_IF_ERROR(launch.group->AwaitAllPrepared());
  }
  launch.progress->SetPhase(ProgressCell::Phase::kRunning);
  RETURN_IF_ERROR(Execute(launch, part));
  return ResultsOf(executable, part);
}

absl::StatusOr<std::vector<std::vector<Literal>>> RunAll(
    absl::Span<const DeviceLaunch> devices,
    std::vector<std::vector<LaunchArgument>> arguments) {
  const Executable& executable = *devices[0].executable;
  std::vector<Part> parts;
  for (size_t i = 0; i < devices.size(); ++i) {
    ASSIGN_OR_RETURN(Part part,
                     PreparePart(devices[i], std::move(arguments[i])));
    parts.push_back(std::move(part));
  }
  std::vector<ExecuteContext> contexts;
  for (size_t i = 0; i < devices.size(); ++i) {
    devices[i].progress->SetPhase(ProgressCell::Phase::kRunning);
    contexts.push_back(ContextOf(devices[i], parts[i], /*device_threads=*/1));
  }
  std::vector<ExecuteContext*> together;
  for (ExecuteContext& context : contexts) together.push_back(&context);
  RETURN_IF_ERROR(executable.thunks().ExecuteTogether(together));
  std::vector<std::vector<Literal>> results;
  for (Part& part : parts) results.push_back(ResultsOf(executable, part));
  return results;
}

}  // namespace

absl::StatusOr<std::vector<Literal>> RunOnDevice(
    const DeviceLaunch& launch, std::vector<LaunchArgument> arguments) {
  absl::StatusOr<std::vector<Literal>> results =
      Run(launch, std::move(arguments));
  launch.progress->SetPhase(results.ok() ? ProgressCell::Phase::kDone
                                         : ProgressCell::Phase::kFailed);
  if (!results.ok()) return launch.group->Fail(results.status());
  return results;
}

absl::StatusOr<std::vector<std::vector<Literal>>> RunTogether(
    absl::Span<const DeviceLaunch> devices,
    std::vector<std::vector<LaunchArgument>> arguments) {
  absl::StatusOr<std::vector<std::vector<Literal>>> results =
      RunAll(devices, std::move(arguments));
  for (const DeviceLaunch& device : devices) {
    device.progress->SetPhase(results.ok() ? ProgressCell::Phase::kDone
                                           : ProgressCell::Phase::kFailed);
  }
  if (!results.ok()) return devices[0].group->Fail(results.status());
  return results;
}

}  // namespace lockstep
