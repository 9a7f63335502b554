#include "runtime/worker/host_lanes.h"

#include <algorithm>
#include <utility>

#include "runtime/base/cores.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Whether the program's devices can run beside the thread that launches.
bool HasCoreForEach(const CompiledProgram& program) {
  return program.local_devices().size() < static_cast<size_t>(CoresOfProcess());
}

bool ArePlaced(const std::vector<Launch::Argument>& arguments) {
  return std::all_of(
      arguments.begin(), arguments.end(),
      [](const auto& argument) { return argument.storage->is_placed(); });
}

}  // namespace

void HostLanes::Add(GlobalDeviceId id, LocalDevice& device) {
  lanes_[id] = std::make_unique<LaunchLane>(id, device);
  is_inline_ = is_inline_ && device.compute_queue().is_inline();
}

LocalDevice* HostLanes::Find(GlobalDeviceId id) const {
  auto it = lanes_.find(id);
  return it == lanes_.end() ? nullptr : &it->second->device();
}

absl::StatusOr<HostLanes::Arguments> HostLanes::Hold(
    const Launch& launch, const ShardLists& arguments) {
  for (const auto& list : arguments) {
    for (const auto& buffer : list) {
      RETURN_IF_ERROR(buffer->Storage().status());
    }
  }
  HostLanes::Arguments held;
  for (const auto& list : arguments) {
    std::vector<Launch::Argument>& next = held.emplace_back();
    for (size_t i = 0; i < list.size(); ++i) {
      const bool is_donated = launch.program().is_donated(static_cast<int>(i));
      ASSIGN_OR_RETURN(
          std::shared_ptr<BufferStorage> storage,
          is_donated ? list[i]->Donate(launch.ToString()) : list[i]->Storage());
      next.push_back({std::move(storage), is_donated, list[i]});
    }
  }
  return held;
}

void HostLanes::Put(const std::shared_ptr<Launch>& launch, Arguments arguments,
                    const ShardLists& results,
                    std::vector<std::function<void()>>& here) {
  const CompiledProgram& program = launch->program();
  const bool is_short = is_inline_ && program.is_short();
  if (is_short && program.has_collectives()) {
    PutTogether(launch, std::move(arguments), results);
    return;
  }
  for (size_t i = 0; i < program.local_devices().size(); ++i) {
    LaunchLane& lane = *lanes_.at(program.local_devices()[i]);
    const bool runs_here = is_short && !HasCoreForEach(program) &&
                           ArePlaced(arguments[i]) && lane.TryTakeTurn();
    std::function<void()> run =
        [launch, i,
         part = Launch::LocalPart{&lane.arena(), std::move(arguments[i]),
                                  results[i]}]() mutable {
          launch->RunOnLocalDevice(i, std::move(part));
        };
    if (runs_here) {
      here.push_back([&lane, run = std::move(run)] { lane.RunInTurn(run); });
    } else {
      lane.Enqueue(std::move(run));
    }
  }
}

void HostLanes::PutTogether(const std::shared_ptr<Launch>& launch,
                            Arguments arguments, const ShardLists& results) {
  std::vector<LaunchLane*> lanes;
  std::vector<Launch::LocalPart> parts;
  for (size_t i = 0; i < arguments.size(); ++i) {
    lanes.push_back(lanes_.at(launch->program().local_devices()[i]).get());
    parts.push_back({&lanes[i]->arena(), std::move(arguments[i]), results[i]});
  }
  LaunchLane::EnqueueTogether(std::move(lanes),
                              [launch, parts = std::move(parts)]() mutable {
                                launch->RunTogether(std::move(parts));
                              });
}

absl::Status HostLanes::AwaitIdle(absl::Time deadline) {
  for (const auto& [id, lane] : lanes_) {
    RETURN_IF_ERROR(lane->AwaitIdle(deadline));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
