#include "runtime/executor/device_launch.h"

#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/status.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/devices/fake/fake_platform.h"
#include "runtime/executable/collective_thunk.h"
#include "runtime/executable/host_thunk.h"

namespace lockstep::internal {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Shape kScalar(ElementType::kF32, {});

// Fails in the stage it is told to, on one device.
class FailingThunk : public HostThunk {
 public:
  FailingThunk(bool in_prepare, int32_t device)
      : HostThunk("failing", "here"),
        in_prepare_(in_prepare),
        device_(device) {}
  std::vector<BufferUse> buffer_uses() const override { return {}; }
  absl::Status Prepare(PrepareContext& context) const override {
    return in_prepare_ && context.flattened_id == device_
               ? absl::DataLossError("no luck")
               : absl::OkStatus();
  }
  absl::Status ExecuteOnHost(HostContext& context) const override {
    return !in_prepare_ && context.replica_id == device_
               ? absl::DataLossError("no luck")
               : absl::OkStatus();
  }

 private:
  const bool in_prepare_;
  const int32_t device_;
};

// Writes 7 over the argument.
class OverwritingThunk : public HostThunk {
 public:
  OverwritingThunk() : HostThunk("overwriting", "here") {}
  std::vector<BufferUse> buffer_uses() const override {
    return {BufferUse::Write({1, 0, 4})};
  }
  absl::Status ExecuteOnHost(HostContext& context) const override {
    const float seven = 7;
    std::memcpy(context.buffers.Address({1, 0, 4}), &seven, sizeof(seven));
    return absl::OkStatus();
  }
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
    ASSIGN_OR_RETURN(auto results, lockstep::internal::RunTogether(
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

class DeviceLaunchTest : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Platforms, DeviceLaunchTest,
                         ::testing::Values("cpu", "fake"),
                         [](const auto& info) { return info.param; });

TEST(DeviceLaunchTogetherTest, OneThreadGivesTheSumOnEveryDevice) {
  for (int devices : {1, 2, 3, 5, 8}) {
    Executable::Parts parts = PsumParts(devices);
    parts.thunks.Append(PsumThunk(devices));
    Launcher launcher(std::move(parts), "cpu");
    const auto results = launcher.RunTogether();
    ASSERT_TRUE(results.ok()) << results.status();
    const auto sum = static_cast<float>(devices * (devices - 1) / 2);
    EXPECT_THAT(*results, Each(sum));
    EXPECT_EQ(launcher.cell(devices - 1).Read().phase,
              ProgressCell::Phase::kDone);
  }
}

TEST(DeviceLaunchTogetherTest, AFailureOnTheOneThreadIsToldOnce) {
  Executable::Parts parts = PsumParts(3);
  parts.thunks.Append(PsumThunk(3));
  Launcher launcher(std::move(parts), "cpu");
  launcher.group().Abort(absl::AbortedError("elsewhere"));
  EXPECT_EQ(launcher.RunTogether().status(), absl::AbortedError("elsewhere"));
  EXPECT_EQ(launcher.failures, 0);
}

TEST_P(DeviceLaunchTest, PsumGivesTheSumOnEveryDevice) {
  for (int devices : {1, 2, 3, 5, 8}) {
    Executable::Parts parts = PsumParts(devices);
    parts.thunks.Append(PsumThunk(devices));
    Launcher launcher(std::move(parts), GetParam());
    for (const auto& result : launcher.Run()) {
      ASSERT_EQ(result.status(), absl::OkStatus());
      EXPECT_THAT(*result,
                  ElementsAre(static_cast<float>(devices * (devices - 1) / 2)));
    }
    const ProgressCell::Snapshot progress = launcher.cell(0).Read();
    EXPECT_EQ(progress.phase, ProgressCell::Phase::kDone);
    EXPECT_EQ(progress.collective_name, "all_reduce #0");
    EXPECT_EQ(progress.thunk_count, 1);
  }
}

TEST_P(DeviceLaunchTest, DeviceThatFailsWhilePreparingStopsAllBeforeTheyRun) {
  Executable::Parts parts = PsumParts(4);
  parts.thunks.Append(PsumThunk(4));
  parts.thunks.Append(std::make_unique<FailingThunk>(/*in_prepare=*/true, 2));
  Launcher launcher(std::move(parts), GetParam());
  for (const auto& result : launcher.Run()) {
    EXPECT_EQ(result.status().message(), "no luck");
  }
  for (int device = 0; device < 4; ++device) {
    EXPECT_EQ(launcher.cell(device).Read().collective, -1);
  }
  EXPECT_EQ(launcher.failures, 1);
}

TEST_P(DeviceLaunchTest, DeviceThatFailsWhileOthersWaitForItEndsThem) {
  Executable::Parts parts = PsumParts(4);
  parts.thunks.Append(std::make_unique<FailingThunk>(/*in_prepare=*/false, 1));
  parts.thunks.Append(PsumThunk(4));
  Launcher launcher(std::move(parts), GetParam());
  for (const auto& result : launcher.Run()) {
    EXPECT_EQ(result.status().message(), "no luck");
  }
  EXPECT_EQ(launcher.failures, 1);
}

TEST_P(DeviceLaunchTest, AbortFromOutsideEndsTheWaitInACollective) {
  // Device 1 of two never comes.
  Executable::Parts parts = PsumParts(2);
  parts.clique_slot_count = 1;
  parts.thunks.Append(PsumThunk(2));
  Launcher launcher(std::move(parts), GetParam());
  std::thread other([&] {
    EXPECT_FALSE(launcher.group().AwaitAllPrepared().ok() &&
                 launcher.group().cancellation().is_cancelled());
    launcher.group().Abort(absl::AbortedError("host 1 (b) died"));
  });
  EXPECT_EQ(
      Launcher::Values(RunOnDevice(launcher.LaunchOf(0), launcher.Arguments(0)))
          .status()
          .message(),
      "host 1 (b) died");
  other.join();
  EXPECT_EQ(launcher.cell(0).Read().phase, ProgressCell::Phase::kFailed);
}

TEST_P(DeviceLaunchTest, ResultTakesOverTheMemoryOfADonatedArgument) {
  Executable::Parts parts = PsumParts(1);
  parts.allocations.pop_back();
  parts.result_allocations = {1};
  parts.clique_slot_count = 0;
  Launcher launcher(std::move(parts), GetParam());
  std::vector<LaunchArgument> arguments =
      launcher.Arguments(0, /*is_donated=*/true);
  const std::shared_ptr<DeviceMemory> memory = arguments[0].value.memory;
  const auto results = RunOnDevice(launcher.LaunchOf(0), std::move(arguments));
  EXPECT_THAT(*Launcher::Values(results), ElementsAre(0.f));
  EXPECT_EQ(results->memory[0], memory);
}

TEST_P(DeviceLaunchTest, WhatOthersHaveTooIsCopiedWhenItIsDonated) {
  Executable::Parts parts = PsumParts(1);
  parts.allocations.pop_back();
  parts.result_allocations = {1};
  parts.clique_slot_count = 0;
  parts.thunks.Append(std::make_unique<OverwritingThunk>());
  Launcher launcher(std::move(parts), GetParam());
  const auto value = std::make_shared<Literal>(Literal::Scalar(3.f));
  std::vector<LaunchArgument> arguments = {
      {*PutOnDevice(launcher.device(0), value->bytes(), 4, value), true}};
  const PendingMemory others = arguments[0].value;
  const auto results = RunOnDevice(launcher.LaunchOf(0), std::move(arguments));
  EXPECT_THAT(*Launcher::Values(results), ElementsAre(7.f));
  EXPECT_EQ(value->data<float>()[0], 3.f);
  EXPECT_EQ(results->memory[0] == others.memory, others.memory->is_writable());
}

TEST(DeviceLaunchOnFakeTest, TooLittleMemoryFailsBeforeAnythingRuns) {
  Executable::Parts parts = PsumParts(2);
  parts.thunks.Append(PsumThunk(2));
  parts.allocations[0].size = int64_t{4} << 20;
  Launcher launcher(std::move(parts),
                    std::make_unique<FakePlatform>(2, int64_t{1} << 20));
  for (const auto& result : launcher.Run()) {
    EXPECT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(result.status().message(), HasSubstr("needs 4.0 MiB"));
  }
  EXPECT_EQ(launcher.cell(0).Read().collective, -1);
}

TEST(DeviceLaunchOnFakeTest, ResultsAreThereBeforeAnythingHasRun) {
  Executable::Parts parts = PsumParts(1);
  parts.thunks.Append(PsumThunk(1));
  auto platform = std::make_unique<FakePlatform>(1);
  FakeDevice& device = platform->device(0);
  Launcher launcher(std::move(parts), std::move(platform));
  device.Hold();
  const auto results = RunOnDevice(launcher.LaunchOf(0), launcher.Arguments(0));
  ASSERT_EQ(results.status(), absl::OkStatus());
  EXPECT_EQ(results->memory.size(), 1u);
  EXPECT_FALSE(results->done->is_ready());
  device.Release();
  EXPECT_THAT(*Launcher::Values(results), ElementsAre(0.f));
}

// Whatever fails on a device fails all of the launch, once, with that cause.
TEST(DeviceLaunchOnFakeTest, FailureOnOneDeviceIsTheCauseOnAll) {
  using Operation = FakeDevice::Operation;
  for (const auto& [operation, n] :
       std::vector<std::pair<Operation, int64_t>>{{Operation::kAllocate, 2},
                                                  {Operation::kCopy, 1},
                                                  {Operation::kCopy, 2},
                                                  {Operation::kCopy, 3},
                                                  {Operation::kCall, 1},
                                                  {Operation::kCall, 2}}) {
    Executable::Parts parts = PsumParts(3);
    parts.thunks.Append(PsumThunk(3));
    auto platform = std::make_unique<FakePlatform>(3);
    FakeDevice& device = platform->device(1);
    Launcher launcher(std::move(parts), std::move(platform));
    device.FailNth(operation, n, absl::DataLossError("bus error"));
    const FloatResults results = launcher.Run();
    EXPECT_EQ(results[1].status().message(), "bus error")
        << static_cast<int>(operation) << " " << n;
    // The others may have been done by then.
    for (const auto& result : results) {
      if (!result.ok()) {
        EXPECT_EQ(result.status().message(), "bus error");
      }
    }
    EXPECT_EQ(launcher.failures, 1);
  }
}

}  // namespace
}  // namespace lockstep::internal
