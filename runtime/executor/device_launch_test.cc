#include "runtime/executor/device_launch.h"

#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/executable/collective_thunk.h"
#include "runtime/executable/copy_thunk.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Shape kScalar(ElementType::kF32, {});

// Fails in the stage it is told to, on one device.
class FailingThunk : public Thunk {
 public:
  FailingThunk(bool in_prepare, int32_t device)
      : Thunk("failing", "here"), in_prepare_(in_prepare), device_(device) {}
  std::vector<BufferUse> buffer_uses() const override { return {}; }
  absl::Status Prepare(PrepareContext& context) const override {
    return in_prepare_ && context.flattened_id == device_
               ? absl::DataLossError("no luck")
               : absl::OkStatus();
  }
  absl::Status Execute(ExecuteContext& context) const override {
    return !in_prepare_ && context.replica_id == device_
               ? absl::DataLossError("no luck")
               : absl::OkStatus();
  }

 private:
  const bool in_prepare_;
  const int32_t device_;
};

// argument 0 (a1) -> psum -> result 0 (a2), over `devices`.
Executable::Parts PsumParts(int devices) {
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

std::unique_ptr<Thunk> PsumThunk(int devices) {
  CollectiveThunk::Parameters parameters;
  parameters.groups.emplace_back();
  for (int i = 0; i < devices; ++i) parameters.groups[0].push_back(i);
  parameters.reduction = *MakeReduction(ReductionKind::kAdd, ElementType::kF32);
  return std::make_unique<CollectiveThunk>(
      "m.mlir:1:1", std::move(parameters),
      std::vector<TensorSlice>{{{1, 0, 4}, kScalar}},
      std::vector<TensorSlice>{{{2, 0, 4}, kScalar}});
}

// Launches an executable on all its devices, a thread each.
class Launcher {
 public:
  explicit Launcher(Executable::Parts parts)
      : executable_(std::move(parts)),
        group_({executable_.replica_count(),
                [this](const absl::Status&) { ++failures; },
                absl::ZeroDuration()}) {
    for (int i = 0; i < executable_.replica_count(); ++i) {
      members_.push_back({GlobalDeviceId(i), HostId(0), Incarnation(1)});
      memories_.emplace_back(GlobalDeviceId(i), int64_t{1} << 20);
    }
    cells_ = std::vector<ProgressCell>(members_.size());
    info_.program = "psum";
    info_.number = LaunchNumber(1);
  }

  std::vector<absl::StatusOr<std::vector<Literal>>> Run() {
    std::vector<absl::StatusOr<std::vector<Literal>>> results(
        members_.size(), std::vector<Literal>());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < members_.size(); ++i) {
      threads.emplace_back([this, i, &results] {
        const Literal argument = Literal::Scalar(static_cast<float>(i));
        std::vector<LaunchArgument> arguments(1);
        arguments[0].value = argument.view();
        results[i] = RunOnDevice(LaunchOf(i), std::move(arguments));
      });
    }
    for (std::thread& thread : threads) thread.join();
    return results;
  }

  // On one thread.
  absl::StatusOr<std::vector<std::vector<Literal>>> RunTogether() {
    std::vector<DeviceLaunch> devices;
    std::vector<Literal> values;
    std::vector<std::vector<LaunchArgument>> arguments;
    for (size_t i = 0; i < members_.size(); ++i) {
      devices.push_back(LaunchOf(i));
      values.push_back(Literal::Scalar(static_cast<float>(i)));
    }
    for (const Literal& value : values) {
      arguments.emplace_back(1)[0].value = value.view();
    }
    return lockstep::RunTogether(devices, std::move(arguments));
  }

  LaunchGroup& group() { return group_; }
  ProgressCell& cell(int device) { return cells_[device]; }
  std::atomic<int> failures{0};

 private:
  DeviceLaunch LaunchOf(size_t device) {
    DeviceLaunch launch;
    launch.executable = &executable_;
    launch.info = &info_;
    launch.flattened_id = static_cast<int32_t>(device);
    launch.members = members_;
    launch.clique_provider = &provider_;
    launch.memory = &memories_[device];
    launch.group = &group_;
    launch.progress = &cells_[device];
    return launch;
  }

  const Executable executable_;
  LaunchGroup group_;
  std::vector<CliqueMember> members_;
  std::vector<DeviceMemory> memories_;
  std::vector<ProgressCell> cells_;
  InProcessCliqueProvider provider_;
  LaunchInfo info_;
};

TEST(DeviceLaunchTest, OneThreadGivesTheSumOnEveryDevice) {
  for (int devices : {1, 2, 3, 5, 8}) {
    Executable::Parts parts = PsumParts(devices);
    parts.thunks.Append(PsumThunk(devices));
    Launcher launcher(std::move(parts));
    const auto results = launcher.RunTogether();
    ASSERT_TRUE(results.ok()) << results.status();
    const auto sum = static_cast<float>(devices * (devices - 1) / 2);
    for (const auto& of_device : *results) {
      EXPECT_EQ(of_device.at(0).data<float>()[0], sum);
    }
    EXPECT_EQ(launcher.cell(devices - 1).Read().phase,
              ProgressCell::Phase::kDone);
  }
}

TEST(DeviceLaunchTest, AFailureOnTheOneThreadIsToldOnce) {
  Executable::Parts parts = PsumParts(3);
  parts.thunks.Append(PsumThunk(3));
  Launcher launcher(std::move(parts));
  launcher.group().Abort(absl::AbortedError("elsewhere"));
  EXPECT_EQ(launcher.RunTogether().status(), absl::AbortedError("elsewhere"));
  EXPECT_EQ(launcher.failures, 0);
}

TEST(DeviceLaunchTest, PsumGivesTheSumOnEveryDevice) {
  for (int devices : {1, 2, 3, 5, 8}) {
    Executable::Parts parts = PsumParts(devices);
    parts.thunks.Append(PsumThunk(devices));
    Launcher launcher(std::move(parts));
    for (const auto& result : launcher.Run()) {
      ASSERT_EQ(result.status(), absl::OkStatus());
      EXPECT_THAT((*result)[0].data<float>(),
                  ElementsAre(static_cast<float>(devices * (devices - 1) / 2)));
    }
    const ProgressCell::Snapshot progress = launcher.cell(0).Read();
    EXPECT_EQ(progress.phase, ProgressCell::Phase::kDone);
    EXPECT_EQ(progress.collective_name, "all_reduce #0");
    EXPECT_EQ(progress.thunk_count, 1);
  }
}

TEST(DeviceLaunchTest, DeviceThatFailsWhilePreparingStopsAllBeforeTheyRun) {
  Executable::Parts parts = PsumParts(4);
  parts.thunks.Append(PsumThunk(4));
  parts.thunks.Append(std::make_unique<FailingThunk>(/*in_prepare=*/true, 2));
  Launcher launcher(std::move(parts));
  for (const auto& result : launcher.Run()) {
    EXPECT_EQ(result.status().message(), "no luck");
  }
  for (int device = 0; device < 4; ++device) {
    EXPECT_EQ(launcher.cell(device).Read().collective, -1);
  }
  EXPECT_EQ(launcher.failures, 1);
}

TEST(DeviceLaunchTest, DeviceThatFailsWhileOthersWaitForItEndsThem) {
  Executable::Parts parts = PsumParts(4);
  parts.thunks.Append(std::make_unique<FailingThunk>(/*in_prepare=*/false, 1));
  parts.thunks.Append(PsumThunk(4));
  Launcher launcher(std::move(parts));
  for (const auto& result : launcher.Run()) {
    EXPECT_EQ(result.status().message(), "no luck");
  }
  EXPECT_EQ(launcher.failures, 1);
}

TEST(DeviceLaunchTest, AbortFromOutsideEndsTheWaitInACollective) {
  // Device 1 of two never comes.
  Executable::Parts parts = PsumParts(1);
  parts.thunks.Append(PsumThunk(2));
  Executable executable(std::move(parts));
  LaunchGroup group({1, nullptr, absl::ZeroDuration()});
  const std::vector<CliqueMember> members = {
      {GlobalDeviceId(0), HostId(0), Incarnation(1)},
      {GlobalDeviceId(1), HostId(0), Incarnation(1)}};
  InProcessCliqueProvider provider;
  DeviceMemory memory(GlobalDeviceId(0), 0);
  ProgressCell cell;
  LaunchInfo info;
  DeviceLaunch launch{&executable, &info,   0,      members,
                      &provider,   &memory, &group, &cell};
  std::thread aborter(
      [&] { group.Abort(absl::AbortedError("host 1 (b) died")); });
  const Literal argument = Literal::Scalar(1.f);
  std::vector<LaunchArgument> arguments(1);
  arguments[0].value = argument.view();
  EXPECT_EQ(RunOnDevice(launch, std::move(arguments)).status().message(),
            "host 1 (b) died");
  aborter.join();
  EXPECT_EQ(cell.Read().phase, ProgressCell::Phase::kFailed);
}

TEST(DeviceLaunchTest, TooLittleMemoryFailsBeforeAnythingRuns) {
  Executable::Parts parts = PsumParts(2);
  parts.thunks.Append(PsumThunk(2));
  parts.allocations[0].size = int64_t{4} << 20;
  Launcher launcher(std::move(parts));
  for (const auto& result : launcher.Run()) {
    EXPECT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(result.status().message(), HasSubstr("needs 4.0 MiB"));
  }
  EXPECT_EQ(launcher.cell(0).Read().collective, -1);
}

TEST(DeviceLaunchTest, ResultTakesOverTheMemoryOfADonatedArgument) {
  Executable::Parts parts = PsumParts(1);
  parts.allocations.pop_back();
  parts.result_allocations = {1};
  const Executable executable(std::move(parts));
  ASSERT_EQ(executable.AliasedArgument(0), 0);
  LaunchGroup group({1, nullptr, absl::ZeroDuration()});
  DeviceMemory memory(GlobalDeviceId(0), 0);
  ProgressCell cell;
  LaunchInfo info;
  DeviceLaunch launch;
  launch.executable = &executable;
  launch.info = &info;
  launch.memory = &memory;
  launch.group = &group;
  launch.progress = &cell;
  std::vector<LaunchArgument> arguments(1);
  arguments[0].donated = Literal::Scalar(7.f);
  arguments[0].value = arguments[0].donated->view();
  const std::byte* bytes = arguments[0].value.bytes();
  auto results = *RunOnDevice(launch, std::move(arguments));
  EXPECT_EQ(results[0].bytes(), bytes);
  EXPECT_EQ(results[0], Literal::Scalar(7.f));
}

}  // namespace
}  // namespace lockstep
