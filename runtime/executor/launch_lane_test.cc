#include "runtime/executor/launch_lane.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/devices/fake/fake_platform.h"
#include "runtime/devices/platform.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LaunchLaneTest : public ::testing::TestWithParam<std::string> {
 protected:
  const std::unique_ptr<Platform> platform_ =
      *MakePlatform(GetParam(), {.device_count = 2});
  const std::vector<std::shared_ptr<LocalDevice>>& devices_ =
      platform_->devices();
};
INSTANTIATE_TEST_SUITE_P(Platforms, LaunchLaneTest,
                         ::testing::ValuesIn(PlatformNames()),
                         [](const auto& info) { return info.param; });

TEST_P(LaunchLaneTest, TasksRunInOrder) {
  std::vector<int> order;
  {
    LaunchLane lane(GlobalDeviceId(0), *devices_[0]);
    for (int i = 0; i < 4; ++i)
      lane.Enqueue([&order, i] { order.push_back(i); });
  }
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
}

TEST_P(LaunchLaneTest, IdleWhenEverythingSoFarHasRun) {
  LaunchLane lane(GlobalDeviceId(0), *devices_[0]);
  EXPECT_EQ(lane.AwaitIdle(absl::InfiniteFuture()), absl::OkStatus());
  bool has_run = false;
  lane.Enqueue([&] { has_run = true; });
  EXPECT_EQ(lane.AwaitIdle(absl::InfiniteFuture()), absl::OkStatus());
  EXPECT_TRUE(has_run);
}

TEST_P(LaunchLaneTest, TurnIsTakenOnlyWhenNothingIsQueued) {
  LaunchLane lane(GlobalDeviceId(0), *devices_[0]);
  absl::Notification go;
  lane.Enqueue([&] { go.WaitForNotification(); });
  EXPECT_FALSE(lane.TryTakeTurn());
  go.Notify();
  ASSERT_TRUE(lane.AwaitIdle(absl::InfiniteFuture()).ok());
  EXPECT_TRUE(lane.TryTakeTurn());
  EXPECT_FALSE(lane.TryTakeTurn());
  lane.RunInTurn([] {});
}

TEST_P(LaunchLaneTest, WhatIsQueuedAfterATurnRunsAfterIt) {
  std::vector<int> order;
  {
    LaunchLane lane(GlobalDeviceId(0), *devices_[0]);
    ASSERT_TRUE(lane.TryTakeTurn());
    lane.Enqueue([&order] { order.push_back(2); });
    lane.RunInTurn([&order] { order.push_back(1); });
  }
  EXPECT_THAT(order, ElementsAre(1, 2));
}

TEST_P(LaunchLaneTest, ATaskOfSeveralQueuesKeepsTheOrderOfAll) {
  std::vector<int> order;
  {
    LaunchLane first(GlobalDeviceId(0), *devices_[0]);
    LaunchLane second(GlobalDeviceId(1), *devices_[1]);
    absl::Notification go;
    second.Enqueue([&] {
      go.WaitForNotification();
      order.push_back(1);
    });
    LaunchLane::EnqueueTogether({&first, &second},
                                [&order] { order.push_back(2); });
    second.Enqueue([&order] { order.push_back(3); });
    go.Notify();
    EXPECT_EQ(second.AwaitIdle(absl::InfiniteFuture()), absl::OkStatus());
    first.Enqueue([&order] { order.push_back(4); });
  }
  EXPECT_THAT(order, ElementsAre(1, 2, 3, 4));
}

TEST_P(LaunchLaneTest, DeadlineNamesTheDeviceAndWhatRemains) {
  LaunchLane lane(GlobalDeviceId(5), *devices_[0]);
  absl::Notification go;
  lane.Enqueue([&] { go.WaitForNotification(); });
  lane.Enqueue([] {});
  const absl::Status status = lane.AwaitIdle(absl::InfinitePast());
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(status.message(),
              HasSubstr("device 5 has not finished 2 of its launches"));
  go.Notify();
}

TEST(LaunchLaneOnFakeTest, IdleOnlyWhenTheDevicesQueueIs) {
  FakePlatform platform(1);
  LaunchLane lane(GlobalDeviceId(3), *platform.devices()[0]);
  platform.device(0).Hold();
  bool has_run = false;
  FirstFailure scope;
  lane.Enqueue([&] {
    lane.device().compute_queue().CallHost(scope, [&] {
      has_run = true;
      return absl::OkStatus();
    });
  });
  const absl::Status status =
      lane.AwaitIdle(absl::Now() + absl::Milliseconds(10));
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(status.message(), HasSubstr("device 3"));
  platform.device(0).Release();
  EXPECT_EQ(lane.AwaitIdle(absl::InfiniteFuture()), absl::OkStatus());
  EXPECT_TRUE(has_run);
}

TEST(LaunchArenaTest, GrowsAndIsAligned) {
  const auto platform = *MakePlatform("cpu", {});
  LaunchArena arena(GlobalDeviceId(0), *platform->devices()[0]);
  const auto small = *arena.Take(100);
  std::byte* const bytes = small->address().host_bytes();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 64, 0u);
  EXPECT_EQ(*arena.Take(60), small);
  const auto large = *arena.Take(1 << 20);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(large->address().host_bytes()) % 64,
            0u);
  large->address().host_bytes()[(1 << 20) - 1] = std::byte{1};
  bytes[99] = std::byte{1};  // still there for whoever uses it
}

TEST(LaunchArenaTest, MoreThanThereIsNamesBothAmounts) {
  FakePlatform platform(1, int64_t{2} << 30);
  LaunchArena arena(GlobalDeviceId(3), *platform.devices()[0]);
  EXPECT_EQ(arena.CheckFits(int64_t{2} << 30), absl::OkStatus());
  const absl::Status status = arena.CheckFits(int64_t{3} << 30);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(),
              HasSubstr("needs 3.0 GiB of memory, device 3 has 2.0 GiB"));
}

}  // namespace
}  // namespace lockstep::internal
