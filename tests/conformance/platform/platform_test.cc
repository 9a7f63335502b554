// What every platform does, and what only "fake" does.
#include "runtime/devices/platform.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/devices/fake/fake_platform.h"
#include "runtime/devices/transfers.h"

namespace lockstep::internal {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Bytes = std::vector<std::byte>;

Bytes Iota(size_t size, int first = 0) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<std::byte>(first + i);
  return bytes;
}

class PlatformTest : public ::testing::TestWithParam<std::string> {
 protected:
  // Waits for what is on the queue.
  static absl::Status Finish(DeviceQueue& queue, WorkScope& scope) {
    const auto event = queue.Record(scope);
    return event == nullptr ? absl::OkStatus() : event->Await();
  }
  std::shared_ptr<DeviceMemory> Put(const Bytes& bytes) {
    auto memory = *device_.Allocate(static_cast<int64_t>(bytes.size()));
    FirstFailure scope;
    queue_.CopyFromHost(scope, memory->address(), bytes.data());
    EXPECT_EQ(Finish(queue_, scope), absl::OkStatus());
    return memory;
  }
  Bytes Fetch(const DeviceMemory& memory) {
    Bytes bytes(memory.size());
    EXPECT_EQ(FetchFromDevice(memory, bytes.data()), absl::OkStatus());
    return bytes;
  }

  const std::unique_ptr<Platform> platform_ =
      *MakePlatform(GetParam(), {.device_count = 2});
  LocalDevice& device_ = *platform_->devices()[0];
  DeviceQueue& queue_ = device_.compute_queue();
};
INSTANTIATE_TEST_SUITE_P(Platforms, PlatformTest,
                         ::testing::ValuesIn(PlatformNames()),
                         [](const auto& info) { return info.param; });

TEST_P(PlatformTest, DevicesSayWhatTheyAre) {
  EXPECT_EQ(platform_->name(), GetParam());
  ASSERT_EQ(platform_->devices().size(), 2u);
  EXPECT_EQ(platform_->devices()[1]->name(), GetParam() + ":1");
  EXPECT_FALSE(device_.info().kind.empty());
  EXPECT_GT(device_.info().memory_bytes, 0);
}

TEST_P(PlatformTest, BytesGoThereAndBack) {
  for (size_t size : {0, 1, 63, 64, 65, 5000}) {
    EXPECT_EQ(Fetch(*Put(Iota(size))), Iota(size)) << size;
  }
}

TEST_P(PlatformTest, PutOnDeviceKeepsItsSourceUntilItIsThere) {
  auto source = std::make_shared<Bytes>(Iota(100));
  const std::weak_ptr<Bytes> watch = source;
  std::byte* const bytes = source->data();
  auto put = *PutOnDevice(device_, bytes, 100, std::move(source));
  if (put.ready != nullptr) {
    EXPECT_EQ(put.ready->Await(), absl::OkStatus());
  }
  EXPECT_EQ(Fetch(*put.memory), Iota(100));
  put = {};
  platform_->devices()[0]->transfer_queue();
  FirstFailure scope;
  EXPECT_EQ(Finish(device_.transfer_queue(), scope), absl::OkStatus());
  EXPECT_TRUE(watch.expired());
}

TEST_P(PlatformTest, BlocksAreAlignedAndCounted) {
  const auto before = device_.statistics();
  const auto a = *device_.Allocate(100);
  auto b = *device_.Allocate(1000);
  for (const auto& block : {a, b}) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block->address().device_bytes()) %
                  DeviceMemory::kAlignment,
              0u);
    EXPECT_EQ(&block->device(), &device_);
  }
  b.reset();
  const auto after = device_.statistics();
  EXPECT_EQ(after.in_use - before.in_use, 100);
  EXPECT_EQ(after.peak - before.in_use, 1100);
  EXPECT_EQ(after.allocations - before.allocations, 2);
}

TEST_P(PlatformTest, MoreMemoryThanThereIsNamesTheDeviceAndTheAmounts) {
  const absl::Status status = device_.Allocate(int64_t{1} << 60).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr(GetParam() + ":0"));
  EXPECT_THAT(status.message(), HasSubstr("in use: "));
}

TEST_P(PlatformTest, OperationsRunInTheirOrder) {
  const auto memory = Put(Iota(8));
  const Bytes other = Iota(4, 100);
  Bytes first(8), second(8);
  std::vector<int> calls;
  FirstFailure scope;
  queue_.CopyToHost(scope, first.data(), memory->address());
  queue_.CallHost(scope, [&] {
    calls.push_back(static_cast<int>(first[7]));
    return absl::OkStatus();
  });
  queue_.CopyFromHost(scope, memory->address().Slice(4, 4), other.data());
  queue_.Copy(scope, memory->address().Slice(0, 2),
              memory->address().Slice(6, 2));
  queue_.Fill(scope, memory->address().Slice(5, 2), std::byte{9});
  queue_.CopyToHost(scope, second.data(), memory->address());
  queue_.CallHost(scope, [&] {
    calls.push_back(static_cast<int>(second[4]));
    return absl::OkStatus();
  });
  EXPECT_EQ(Finish(queue_, scope), absl::OkStatus());
  EXPECT_EQ(first, Iota(8));
  EXPECT_THAT(second, ElementsAre(std::byte{102}, std::byte{103}, std::byte{2},
                                  std::byte{3}, std::byte{100}, std::byte{9},
                                  std::byte{9}, std::byte{103}));
  EXPECT_THAT(calls, ElementsAre(7, 100));
}

TEST_P(PlatformTest, RowsAreCopiedToRowsOfAnotherDistance) {
  const auto from = Put(Iota(12));
  const auto to = Put(Bytes(12, std::byte{99}));
  FirstFailure scope;
  // Two bytes of every four, from the second on.
  queue_.CopyRows(scope, 3, 2, to->address().Slice(1, 11), 3,
                  from->address().Slice(1, 11), 4);
  queue_.CopyRows(scope, 0, 2, to->address(), 3, from->address(), 4);
  queue_.CopyRows(scope, 3, 0, to->address(), 3, from->address(), 4);
  EXPECT_EQ(Finish(queue_, scope), absl::OkStatus());
  Bytes expected(12, std::byte{99});
  for (int row = 0; row < 3; ++row) {
    for (int i = 1; i < 3; ++i) {
      expected[3 * row + i] = static_cast<std::byte>(4 * row + i);
    }
  }
  EXPECT_EQ(Fetch(*to), expected);
}

TEST_P(PlatformTest, TheCollectiveQueueRunsBesideTheComputeQueue) {
  DeviceQueue& collectives = device_.collective_queue();
  const auto memory = Put(Iota(8));
  Bytes seen(8);
  FirstFailure scope;
  absl::Notification goes_on;
  collectives.Wait(scope, queue_.Record(scope));
  collectives.CallHost(scope, [&] {
    goes_on.WaitForNotification();
    return absl::OkStatus();
  });
  collectives.CopyToHost(scope, seen.data(), memory->address());
  const auto done = collectives.Record(scope);
  // Would wait for ever on the same queue.
  queue_.CallHost(scope, [&] {
    goes_on.Notify();
    return absl::OkStatus();
  });
  queue_.Wait(scope, done);
  queue_.Fill(scope, memory->address(), std::byte{1});
  EXPECT_EQ(Finish(queue_, scope), absl::OkStatus());
  EXPECT_EQ(seen, Iota(8));
  EXPECT_THAT(Fetch(*memory), Each(std::byte{1}));
}

TEST_P(PlatformTest, AFailedScopeStillWaitsForOtherQueues) {
  DeviceQueue& collectives = device_.collective_queue();
  FirstFailure failed, fine;
  absl::Notification goes_on;
  collectives.CallHost(fine, [&] {
    goes_on.WaitForNotification();
    return absl::OkStatus();
  });
  const auto done = collectives.Record(fine);
  failed.Fail(absl::DataLossError("bad sector"));
  std::thread other([&] { goes_on.Notify(); });
  queue_.Wait(failed, done);
  EXPECT_EQ(Finish(queue_, failed).message(), "bad sector");
  EXPECT_TRUE(done->is_ready());
  other.join();
}

TEST_P(PlatformTest, AfterAFailureNothingOfTheScopeRuns) {
  const auto memory = Put(Iota(8));
  FirstFailure failing, fine;
  bool has_run = false;
  queue_.CallHost(failing, [] { return absl::DataLossError("bad sector"); });
  queue_.Fill(failing, memory->address(), std::byte{1});
  queue_.CallHost(failing, [&] {
    has_run = true;
    return absl::OkStatus();
  });
  queue_.Fill(fine, memory->address().Slice(0, 1), std::byte{7});
  EXPECT_EQ(Finish(queue_, failing).message(), "bad sector");
  EXPECT_EQ(Finish(queue_, fine), absl::OkStatus());
  EXPECT_FALSE(has_run);
  Bytes expected = Iota(8);
  expected[0] = std::byte{7};
  EXPECT_EQ(Fetch(*memory), expected);
}

TEST_P(PlatformTest, AFailedEventFailsTheScopeThatWaitsForIt) {
  auto event = std::make_shared<DeviceEvent>();
  event->Finish(absl::AbortedError("host 1 (b) died"));
  FirstFailure scope;
  queue_.Wait(scope, nullptr);
  queue_.Wait(scope, event);
  EXPECT_EQ(Finish(queue_, scope).message(), "host 1 (b) died");
}

TEST_P(PlatformTest, WorkWaitsForWorkOfAnotherQueue) {
  DeviceQueue& other = platform_->devices()[1]->compute_queue();
  const auto memory = Put(Iota(1000));
  Bytes seen(1000);
  for (int i = 0; i < 20; ++i) {
    FirstFailure scope;
    Bytes source(1000, static_cast<std::byte>(i));
    queue_.CopyFromHost(scope, memory->address(), source.data());
    other.Wait(scope, queue_.Record(scope));
    other.CallHost(scope,
                   [&] { return FetchFromDevice(*memory, seen.data()); });
    EXPECT_EQ(Finish(other, scope), absl::OkStatus());
    EXPECT_THAT(seen, Each(static_cast<std::byte>(i)));
  }
}

TEST_P(PlatformTest, CallbacksHearOfTheOutcomeOnce) {
  FirstFailure scope;
  queue_.CallHost(scope, [] { return absl::DataLossError("bad sector"); });
  const auto event = queue_.Record(scope);
  ASSERT_NE(event, nullptr);
  absl::Notification heard;
  absl::Status outcome;
  event->OnReady([&](const absl::Status& status) {
    outcome = status;
    heard.Notify();
  });
  heard.WaitForNotification();
  EXPECT_EQ(outcome.message(), "bad sector");
  EXPECT_TRUE(event->is_ready());
}

TEST_P(PlatformTest, EndRunsWhatIsQueued) {
  auto platform = *MakePlatform(GetParam(), {});
  const std::shared_ptr<LocalDevice> device = platform->devices()[0];
  FirstFailure scope;
  std::atomic<int> calls = 0;
  for (DeviceQueue* queue :
       {&device->compute_queue(), &device->collective_queue()}) {
    for (int i = 0; i < 50; ++i) {
      queue->CallHost(scope, [&] {
        ++calls;
        return absl::OkStatus();
      });
    }
  }
  platform.reset();
  EXPECT_EQ(calls, 100);
}

TEST(PlatformsTest, AbsurdRequestsAreRefused) {
  EXPECT_EQ(MakePlatform("abacus", {}).status().code(),
            absl::StatusCode::kNotFound);
  const absl::Status none = MakePlatform("cpu", {.device_count = 0}).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(none.message(), HasSubstr("found 0"));
}

TEST(FakePlatformDeathTest, TheHostThatTouchesDeviceMemoryDies) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  FakePlatform platform(1);
  const auto memory = *platform.devices()[0]->Allocate(100);
  EXPECT_FALSE(memory->address().host_accessible());
  EXPECT_DEATH(*const_cast<volatile std::byte*>(
                   memory->address().device_bytes()) = std::byte{1},
               "");
  EXPECT_DEATH(memory->address().host_bytes(), "");
}

TEST(FakePlatformTest, MemoryThatIsGoneIsFoundOut) {
  FakePlatform platform(1);
  FakeDevice& device = platform.device(0);
  auto memory = *device.Allocate(100);
  const DeviceAddress address = memory->address();
  FirstFailure scope, beyond;
  device.compute_queue().Fill(beyond, address.Slice(50, 51), std::byte{1});
  EXPECT_EQ(device.compute_queue().Record(beyond)->Await().code(),
            absl::StatusCode::kInternal);
  memory.reset();
  device.compute_queue().Fill(scope, address, std::byte{1});
  EXPECT_EQ(device.compute_queue().Record(scope)->Await().code(),
            absl::StatusCode::kInternal);
}

TEST(FakePlatformTest, NothingRunsWhileTheDeviceIsHeld) {
  FakePlatform platform(1);
  FakeDevice& device = platform.device(0);
  device.Hold();
  FirstFailure scope;
  const auto event = device.compute_queue().Record(scope);
  EXPECT_EQ(event->Await(absl::InfinitePast()).code(),
            absl::StatusCode::kDeadlineExceeded);
  device.Release();
  EXPECT_EQ(event->Await(), absl::OkStatus());
}

TEST(FakePlatformTest, TheNthOperationOfAKindFailsOnce) {
  FakePlatform platform(1);
  FakeDevice& device = platform.device(0);
  device.FailNth(FakeDevice::Operation::kAllocate, 2,
                 absl::ResourceExhaustedError("no more"));
  EXPECT_TRUE(device.Allocate(1).ok());
  EXPECT_EQ(device.Allocate(1).status().message(), "no more");
  EXPECT_TRUE(device.Allocate(1).ok());
}

TEST(FakePlatformTest, WhatComesAfterTheEndFails) {
  auto platform = std::make_unique<FakePlatform>(1);
  const std::shared_ptr<LocalDevice> device = platform->devices()[0];
  const auto memory = *device->Allocate(10);
  platform.reset();
  Bytes bytes(10);
  EXPECT_EQ(FetchFromDevice(*memory, bytes.data()).code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace lockstep::internal
