#ifndef LOCKSTEP_RUNTIME_EXECUTOR_LAUNCHER_TESTING_H_
#define LOCKSTEP_RUNTIME_EXECUTOR_LAUNCHER_TESTING_H_

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/devices/platform.h"
#include "runtime/executable/collective_thunk.h"
#include "runtime/executor/device_launch.h"

namespace lockstep::internal {

inline const Shape kScalar(ElementType::kF32, {});

// argument 0 (a1) -> psum -> result 0 (a2), over `devices`.
inline Executable::Parts PsumParts(int devices) {
  Executable::Parts parts;
  parts.name = "psum";
  parts.replica_count = devices;
  parts.argument_shapes = parts.result_shapes = {kScalar};
  parts.allocations = {{BufferAllocation::Kind::kArena, 0, 0},
                       {BufferAllocation::Kind::kArgument, 0, 4},
                       {BufferAllocation::Kind::kResult, 0, 4}};
  parts.argument_allocations = {1};
  parts.result_allocations = {2};
  parts.clique_slot_count = 1;
  return parts;
}

inline std::unique_ptr<Thunk> PsumThunk(int devices) {
  CollectiveThunk::Parameters parameters;
  parameters.groups.emplace_back();
  for (int i = 0; i < devices; ++i) parameters.groups[0].push_back(i);
  parameters.reduction = *MakeReduction(ReductionKind::kAdd, ElementType::kF32);
  return std::make_unique<CollectiveThunk>(
      "m.mlir:1:1", std::move(parameters),
      std::vector<TensorSlice>{{{1, 0, 4}, kScalar}},
      std::vector<TensorSlice>{{{2, 0, 4}, kScalar}});
}

using FloatResults = std::vector<absl::StatusOr<std::vector<float>>>;

// Launches an executable on all its devices.
class Launcher {
 public:
  Launcher(Executable::Parts parts, const std::string& platform)
      : Launcher(std::move(parts),
                 *MakePlatform(platform, {.device_count = 8})) {}
  Launcher(Executable::Parts parts, std::unique_ptr<Platform> platform)
      : executable_(std::move(parts)),
        group_({executable_.replica_count(),
                [this](const absl::Status&) { ++failures; },
                absl::ZeroDuration()}),
        platform_(std::move(platform)) {
    for (int i = 0; i < executable_.replica_count(); ++i) {
      members_.push_back({GlobalDeviceId(i), HostId(0), Incarnation(1)});
      arenas_.emplace_back(GlobalDeviceId(i), device(i));
    }
    cells_ = std::vector<ProgressCell>(members_.size());
    info_.program = "psum";
    info_.number = LaunchNumber(1);
  }

  // A thread each; device i has the argument i. The first result.
  FloatResults Run() {
    FloatResults results(members_.size(), std::vector<float>());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < members_.size(); ++i) {
      threads.emplace_back([this, i, &results] {
        results[i] = Values(RunOnDevice(LaunchOf(i), Arguments(i)));
      });
    }
    for (std::thread& thread : threads) thread.join();
    return results;
  }

  // On one thread.
  absl::StatusOr<std::vector<float>> RunTogether() {
    std::vector<DeviceLaunch> devices;
    std::vector<std::vector<LaunchArgument>> arguments;
    for (size_t i = 0; i < members_.size(); ++i) {
      devices.push_back(LaunchOf(i));
      arguments.push_back(Arguments(i));
    }
    ASSIGN_OR_RETURN(auto results, ::lockstep::internal::RunTogether(
                                       devices, std::move(arguments)));
    std::vector<float> values;
    for (const LaunchResults& of_device : results) {
      ASSIGN_OR_RETURN(auto value, Values(of_device));
      values.push_back(value.at(0));
    }
    return values;
  }

  LocalDevice& device(size_t i) { return *platform_->devices()[i]; }
  LaunchGroup& group() { return group_; }
  ProgressCell& cell(int device) { return cells_[device]; }
  DeviceLaunch LaunchOf(size_t device) {
    DeviceLaunch launch;
    launch.executable = &executable_;
    launch.info = &info_;
    launch.flattened_id = static_cast<int32_t>(device);
    launch.members = members_;
    launch.clique_provider = &provider_;
    launch.arena = &arenas_[device];
    launch.group = &group_;
    launch.progress = &cells_[device];
    return launch;
  }
  std::vector<LaunchArgument> Arguments(size_t i, bool is_donated = false) {
    auto value =
        std::make_shared<Literal>(Literal::Scalar(static_cast<float>(i)));
    return {{*GiveToDevice(device(i), value->mutable_bytes(), 4, value),
             is_donated}};
  }
  // Waits for the results.
  static absl::StatusOr<std::vector<float>> Values(
      const absl::StatusOr<LaunchResults>& results) {
    RETURN_IF_ERROR(results.status());
    if (results->done != nullptr) RETURN_IF_ERROR(results->done->Await());
    std::vector<float> values;
    for (const auto& memory : results->memory) {
      Literal value(kScalar);
      RETURN_IF_ERROR(FetchFromDevice(*memory, value.mutable_bytes()));
      values.push_back(value.data<float>()[0]);
    }
    return values;
  }

  std::atomic<int> failures{0};

 private:
  const Executable executable_;
  // Ends before what its queues use.
  LaunchInfo info_;
  InProcessCliqueProvider provider_;
  std::vector<CliqueMember> members_;
  std::vector<ProgressCell> cells_;
  LaunchGroup group_;
  std::unique_ptr<Platform> platform_;
  std::deque<LaunchArena> arenas_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTOR_LAUNCHER_TESTING_H_
