// Launches whose collectives run beside their other thunks.
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/devices/fake/fake_platform.h"
#include "runtime/executable/collective_overlap.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/executor/launcher_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using Phase = ProgressCell::Phase;

// Runs a function on the host, which is told the device.
class CallThunk : public HostThunk {
 public:
  using Call = std::function<absl::Status(int32_t device)>;
  explicit CallThunk(Call call)
      : HostThunk("call", "here"), call_(std::move(call)) {}
  std::vector<BufferUse> buffer_uses() const override { return {}; }
  absl::Status ExecuteOnHost(HostContext& context) const override {
    return call_(context.flattened_id);
  }

 private:
  const Call call_;
};

// `before`, psum of the argument, `beside`: which runs while the psum is under
// way.
Executable::Parts OverlappedParts(int devices, CallThunk::Call before,
                                  CallThunk::Call beside) {
  Executable::Parts parts = PsumParts(devices);
  ThunkSequence thunks;
  thunks.Append(std::make_unique<CallThunk>(std::move(before)));
  thunks.Append(PsumThunk(devices));
  thunks.Append(std::make_unique<CallThunk>(std::move(beside)));
  parts.thunks = OverlapCollectives(std::move(thunks), OverlapPolicy::Always());
  return parts;
}

absl::Status Nothing(int32_t) { return absl::OkStatus(); }

class OverlappedLaunchTest : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Platforms, OverlappedLaunchTest,
                         ::testing::ValuesIn(PlatformNames()),
                         [](const auto& info) { return info.param; });

TEST_P(OverlappedLaunchTest, WorkRunsWhileACollectiveWaitsForAnotherDevice) {
  for (int devices : {2, 3, 8}) {
    // Device 1 joins the psum when device 0 has gone past it.
    absl::Notification is_past;
    Launcher launcher(OverlappedParts(
                          devices,
                          [&](int32_t device) {
                            if (device == 1) is_past.WaitForNotification();
                            return absl::OkStatus();
                          },
                          [&](int32_t device) {
                            if (device == 0) is_past.Notify();
                            return absl::OkStatus();
                          }),
                      GetParam());
    for (const auto& result : launcher.Run()) {
      ASSERT_EQ(result.status(), absl::OkStatus());
      EXPECT_THAT(*result,
                  ElementsAre(static_cast<float>(devices * (devices - 1) / 2)));
    }
    const ProgressCell::Snapshot progress = launcher.cell(0).Read();
    EXPECT_EQ(progress.phase, Phase::kDone);
    EXPECT_EQ(progress.collective_name, "all_reduce #0");
  }
}

TEST_P(OverlappedLaunchTest, AProfileShowsACollectiveBesideTheOthers) {
  Launcher launcher(OverlappedParts(2, Nothing, Nothing), GetParam());
  std::vector<std::unique_ptr<ProfileRecorder>> recorders;
  std::vector<std::thread> threads;
  std::vector<absl::Status> statuses(2);
  for (size_t i = 0; i < 2; ++i) {
    recorders.push_back(std::make_unique<ProfileRecorder>(
        launcher.LaunchOf(i).executable->thunks(),
        ProfileRecorder::Options{.most_events = 100}));
  }
  for (size_t i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      DeviceLaunch launch = launcher.LaunchOf(i);
      launch.profile = recorders[i].get();
      statuses[i] =
          Launcher::Values(RunOnDevice(launch, launcher.Arguments(i))).status();
    });
  }
  for (std::thread& thread : threads) thread.join();
  const bool is_inline = launcher.device(0).compute_queue().is_inline();
  for (size_t i = 0; i < 2; ++i) {
    if (!is_inline) {
      EXPECT_EQ(statuses[i].code(), absl::StatusCode::kUnimplemented);
      continue;
    }
    ASSERT_EQ(statuses[i], absl::OkStatus());
    const DeviceProfile profile = recorders[i]->Take();
    std::vector<std::string> kinds;
    for (const ProfiledThunk& thunk : profile.thunks) {
      kinds.push_back(thunk.kind);
    }
    EXPECT_THAT(kinds, ElementsAre("call", "all_reduce_start", "all_reduce",
                                   "call", "all_reduce_done"));
    EXPECT_TRUE(profile.thunks[2].is_beside);
    EXPECT_THAT(profile.thunks[2].groups, ElementsAre(ElementsAre(0, 1)));
    EXPECT_EQ(profile.thunks[1].bytes, 0);
    for (const ThunkTimes& times : profile.times) EXPECT_EQ(times.count, 1);
    ASSERT_EQ(profile.events.size(), 5u);
    EXPECT_EQ(profile.events.back().thunk, 2);
  }
}

TEST_P(OverlappedLaunchTest, ADeviceThatDoesNotJoinIsTheCauseOnAll) {
  absl::Notification is_past;
  Launcher launcher(OverlappedParts(
                        3,
                        [&](int32_t device) -> absl::Status {
                          if (device != 1) return absl::OkStatus();
                          is_past.WaitForNotification();
                          return absl::DataLossError("no luck");
                        },
                        [&](int32_t device) {
                          if (device == 0) is_past.Notify();
                          return absl::OkStatus();
                        }),
                    GetParam());
  for (const auto& result : launcher.Run()) {
    EXPECT_EQ(result.status().message(), "no luck");
  }
  EXPECT_EQ(launcher.failures, 1);
}

TEST_P(OverlappedLaunchTest, FailureBesideACollectiveEndsIt) {
  // Device 1 would never join.
  LaunchGroup* group = nullptr;
  Launcher launcher(OverlappedParts(
                        2,
                        [&](int32_t device) -> absl::Status {
                          if (device == 0) return absl::OkStatus();
                          CancellationToken& token = group->cancellation();
                          absl::Notification ended;
                          auto registration =
                              token.OnCancel([&] { ended.Notify(); });
                          ended.WaitForNotification();
                          return absl::OkStatus();
                        },
                        [](int32_t) -> absl::Status {
                          return absl::DataLossError("no luck");
                        }),
                    GetParam());
  group = &launcher.group();
  for (const auto& result : launcher.Run()) {
    EXPECT_EQ(result.status().message(), "no luck");
  }
  EXPECT_EQ(launcher.failures, 1);
  EXPECT_EQ(launcher.cell(0).Read().phase, Phase::kFailed);
}

TEST_P(OverlappedLaunchTest, AbortFromOutsideEndsACollectiveUnderWay) {
  absl::Notification is_past;
  Launcher launcher(OverlappedParts(2, Nothing,
                                    [&](int32_t) {
                                      is_past.Notify();
                                      return absl::OkStatus();
                                    }),
                    GetParam());
  // Device 1 is prepared, and never comes.
  std::thread other([&] {
    EXPECT_EQ(launcher.group().AwaitAllPrepared(), absl::OkStatus());
    is_past.WaitForNotification();
    launcher.group().Abort(absl::AbortedError("host 1 (b) died"));
  });
  EXPECT_EQ(
      Launcher::Values(RunOnDevice(launcher.LaunchOf(0), launcher.Arguments(0)))
          .status()
          .message(),
      "host 1 (b) died");
  other.join();
  EXPECT_EQ(launcher.cell(0).Read().phase, Phase::kFailed);
}

class OverlappedLaunchOnFakeTest : public ::testing::Test {
 protected:
  using Operation = FakeDevice::Operation;
  using Queue = FakeDevice::Queue;

  // Two devices.
  void Make(CallThunk::Call beside) {
    arguments_.clear();
    auto platform = std::make_unique<FakePlatform>(2);
    fake_ = platform.get();
    launcher_ = std::make_unique<Launcher>(
        OverlappedParts(2, Nothing, std::move(beside)), std::move(platform));
    for (size_t i = 0; i < 2; ++i) {
      arguments_.push_back(launcher_->Arguments(i));
      for (const LaunchArgument& argument : arguments_[i]) {
        EXPECT_EQ(argument.value.ready->Await(), absl::OkStatus());
      }
    }
  }
  FakeDevice& device(size_t i) { return fake_->device(i); }
  // Queues both devices' parts.
  void Launch() {
    std::thread other([&] { Launch(1); });
    Launch(0);
    other.join();
  }
  const LaunchResults& results(size_t i) { return *results_[i]; }

  FakePlatform* fake_ = nullptr;
  std::unique_ptr<Launcher> launcher_;

 private:
  void Launch(size_t i) {
    results_[i] = RunOnDevice(launcher_->LaunchOf(i), std::move(arguments_[i]));
    EXPECT_EQ(results_[i].status(), absl::OkStatus());
  }

  std::vector<std::vector<LaunchArgument>> arguments_;
  absl::StatusOr<LaunchResults> results_[2];
};

TEST_F(OverlappedLaunchOnFakeTest, WorkIsOverWhileTheCollectivesAreHeld) {
  absl::Notification has_run[2];
  Make([&](int32_t device) {
    has_run[device].Notify();
    return absl::OkStatus();
  });
  for (size_t i = 0; i < 2; ++i) device(i).Hold(Queue::kCollectives);
  Launch();
  for (size_t i = 0; i < 2; ++i) has_run[i].WaitForNotification();
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_FALSE(results(i).done->is_ready());
    // It has not begun.
    EXPECT_EQ(launcher_->cell(static_cast<int>(i)).Read().collective, -1);
    device(i).Release(Queue::kCollectives);
  }
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_THAT(*Launcher::Values(results(i)), ElementsAre(1.f));
  }
}

TEST_F(OverlappedLaunchOnFakeTest, AFailedCopyOfACollectiveFailsTheLaunch) {
  // To the host, and back.
  for (int64_t n : {1, 2}) {
    Make(Nothing);
    device(0).FailNth(Operation::kCopy, n, absl::DataLossError("bus error"));
    // Not before all is queued.
    device(0).Hold(Queue::kCollectives);
    Launch();
    device(0).Release(Queue::kCollectives);
    EXPECT_EQ(results(0).done->Await().message(), "bus error") << n;
    results(1).done->Await().IgnoreError();
    EXPECT_EQ(launcher_->group().status().message(), "bus error");
    EXPECT_EQ(launcher_->failures, 1);
  }
}

TEST_F(OverlappedLaunchOnFakeTest, AFailedLaunchIsNotOverBeforeItsCollectives) {
  absl::Notification is_queued, has_failed;
  Make([&](int32_t device) -> absl::Status {
    if (device != 0) return absl::OkStatus();
    is_queued.WaitForNotification();
    return absl::DataLossError("no luck");
  });
  auto registration =
      launcher_->group().cancellation().OnCancel([&] { has_failed.Notify(); });
  device(0).Hold(Queue::kCollectives);
  Launch();
  is_queued.Notify();
  has_failed.WaitForNotification();
  EXPECT_EQ(results(1).done->Await().message(), "no luck");
  EXPECT_FALSE(results(0).done->is_ready());
  device(0).Release(Queue::kCollectives);
  EXPECT_EQ(results(0).done->Await().message(), "no luck");
}

}  // namespace
}  // namespace lockstep::internal
