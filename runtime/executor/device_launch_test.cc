#include "runtime/executor/device_launch.h"

#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/devices/fake/fake_platform.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/executor/launcher_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

class DeviceLaunchTest : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Platforms, DeviceLaunchTest,
                         ::testing::ValuesIn(PlatformNames()),
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
                                                  {Operation::kCall, 1}}) {
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
