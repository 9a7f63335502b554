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

absl::Status Execute(const DeviceLaunch& launch, AcquiredCliques& cliques,
                     BufferTable table) {
  ExecuteContext context;
  const int32_t partitions = launch.executable->partition_count();
  context.replica_id = launch.flattened_id / partitions;
  context.partition_id = launch.flattened_id % partitions;
  context.buffers = std::move(table);
  context.launch = launch.info;
  context.cliques = &cliques;
  context.ledger = &launch.group->ledger();
  context.cancellation = &launch.group->cancellation();
  context.progress = launch.progress;
  context.intra_op_threads = IntraOpThreads(launch.group->device_count());
  RETURN_IF_ERROR(launch.executable->thunks().Execute(context));
  if (launch.members.empty()) return absl::OkStatus();
  return launch.group->ledger().Finish(
      launch.members[launch.flattened_id].device, cliques);
}

absl::StatusOr<std::vector<Literal>> Run(
    const DeviceLaunch& launch, std::vector<LaunchArgument> arguments) {
  const Executable& executable = *launch.executable;
  LOCKSTEP_CHECK(arguments.size() == executable.argument_shapes().size());
  launch.progress->SetPhase(ProgressCell::Phase::kPreparing);
  ASSIGN_OR_RETURN(LaunchMemory memory,
                   TakeMemory(executable, *launch.memory, arguments));
  AcquiredCliques cliques(executable.clique_slot_count());
  RETURN_IF_ERROR(Prepare(launch, cliques));
  // Devices that do not meet need not wait for each other either.
  if (executable.clique_slot_count() > 0) {
    RETURN_IF_ERROR(launch.group->AwaitAllPrepared());
  }
  launch.progress->SetPhase(ProgressCell::Phase::kRunning);
  RETURN_IF_ERROR(Execute(launch, cliques, std::move(memory.table)));
  for (size_t i = 0; i < memory.results.size(); ++i) {
    const std::optional<int> alias =
        executable.AliasedArgument(static_cast<int>(i));
    if (!alias) continue;
    LOCKSTEP_CHECK(arguments[*alias].donated.has_value());
    memory.results[i] = *std::move(arguments[*alias].donated);
  }
  return std::move(memory.results);
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

}  // namespace lockstep
