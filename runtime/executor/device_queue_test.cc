#include "runtime/executor/device_queue.h"

#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(DeviceQueueTest, TasksRunInOrder) {
  std::vector<int> order;
  {
    DeviceQueue queue(GlobalDeviceId(0), 0);
    for (int i = 0; i < 4; ++i)
      queue.Enqueue([&order, i] { order.push_back(i); });
  }
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
}

TEST(DeviceQueueTest, IdleWhenEverythingSoFarHasRun) {
  DeviceQueue queue(GlobalDeviceId(0), 0);
  EXPECT_EQ(queue.AwaitIdle(absl::InfiniteFuture()), absl::OkStatus());
  bool has_run = false;
  queue.Enqueue([&] { has_run = true; });
  EXPECT_EQ(queue.AwaitIdle(absl::InfiniteFuture()), absl::OkStatus());
  EXPECT_TRUE(has_run);
}

TEST(DeviceQueueTest, TurnIsTakenOnlyWhenNothingIsQueued) {
  DeviceQueue queue(GlobalDeviceId(0), 0);
  absl::Notification go;
  queue.Enqueue([&] { go.WaitForNotification(); });
  EXPECT_FALSE(queue.TryTakeTurn());
  go.Notify();
  ASSERT_TRUE(queue.AwaitIdle(absl::InfiniteFuture()).ok());
  EXPECT_TRUE(queue.TryTakeTurn());
  EXPECT_FALSE(queue.TryTakeTurn());
  queue.RunInTurn([] {});
}

TEST(DeviceQueueTest, WhatIsQueuedAfterATurnRunsAfterIt) {
  std::vector<int> order;
  {
    DeviceQueue queue(GlobalDeviceId(0), 0);
    ASSERT_TRUE(queue.TryTakeTurn());
    queue.Enqueue([&order] { order.push_back(2); });
    queue.RunInTurn([&order] { order.push_back(1); });
  }
  EXPECT_THAT(order, ElementsAre(1, 2));
}

TEST(DeviceQueueTest, ATaskOfSeveralQueuesKeepsTheOrderOfAll) {
  std::vector<int> order;
  {
    DeviceQueue first(GlobalDeviceId(0), 0);
    DeviceQueue second(GlobalDeviceId(1), 0);
    absl::Notification go;
    second.Enqueue([&] {
      go.WaitForNotification();
      order.push_back(1);
    });
    DeviceQueue::EnqueueTogether({&first, &second},
                                 [&order] { order.push_back(2); });
    second.Enqueue([&order] { order.push_back(3); });
    go.Notify();
    EXPECT_EQ(second.AwaitIdle(absl::InfiniteFuture()), absl::OkStatus());
    first.Enqueue([&order] { order.push_back(4); });
  }
  EXPECT_THAT(order, ElementsAre(1, 2, 3, 4));
}

TEST(DeviceQueueTest, DeadlineNamesTheDeviceAndWhatRemains) {
  DeviceQueue queue(GlobalDeviceId(5), 0);
  absl::Notification go;
  queue.Enqueue([&] { go.WaitForNotification(); });
  queue.Enqueue([] {});
  const absl::Status status = queue.AwaitIdle(absl::InfinitePast());
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(status.message(),
              HasSubstr("device 5 has not finished 2 of its launches"));
  go.Notify();
}

TEST(DeviceMemoryTest, ArenaGrowsAndIsAligned) {
  DeviceMemory memory(GlobalDeviceId(0), 0);
  std::byte* small = *memory.Arena(100);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(small) % 64, 0u);
  EXPECT_EQ(*memory.Arena(60), small);
  std::byte* large = *memory.Arena(1 << 20);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(large) % 64, 0u);
  large[(1 << 20) - 1] = std::byte{1};
}

TEST(DeviceMemoryTest, MoreThanThereIsNamesBothAmounts) {
  DeviceMemory memory(GlobalDeviceId(3), int64_t{2} << 30);
  EXPECT_EQ(memory.CheckFits(int64_t{2} << 30), absl::OkStatus());
  const absl::Status status = memory.CheckFits(int64_t{3} << 30);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(),
              HasSubstr("needs 3.0 GiB of memory, device 3 has 2.0 GiB"));
}

}  // namespace
}  // namespace lockstep
