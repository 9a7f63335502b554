// What only the platform "cuda" does, on an emulated driver: libraries that are
// missing, calls that fail, devices that are lost, copies through pinned
// memory.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/cuda/cuda_status.h"
#include "runtime/devices/cuda/cuda_device.h"
#include "runtime/devices/cuda/cuda_platform.h"
#include "runtime/devices/cuda/cuda_queue.h"
#include "runtime/devices/following_event.h"
#include "runtime/devices/transfers.h"
#include "tests/cuda_emulation/emulated_cuda.h"

namespace lockstep::internal {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

using Bytes = std::vector<std::byte>;

constexpr char kEmulation[] = "tests/cuda_emulation";

Bytes Iota(size_t size, int first = 0) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::byte>(first + i % 251);
  }
  return bytes;
}

const cuda::EmulationHooks& Emulation() { return cuda::Hooks(); }

class CudaFaultsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("LOCKSTEP_CUDA_PATH", kEmulation, 1);
    Set("no_faults,release,devices=2,memory=1G,driver=13000,pause=200");
  }
  void TearDown() override {
    Set("no_faults,release");
    for (int device : {0, 1}) EXPECT_EQ(Emulation().bytes(device), 0);
  }

  static void Set(const std::string& settings) {
    ASSERT_TRUE(Emulation().set(settings.c_str())) << settings;
  }
  static std::unique_ptr<CudaPlatform> Make() {
    return *CudaPlatform::Create({});
  }
  static CudaDevice& Device(CudaPlatform& platform, size_t i = 0) {
    return *AsCudaDevice(*platform.devices()[i]);
  }
  static absl::Status Finish(DeviceQueue& queue, WorkScope& scope) {
    return queue.Record(scope)->Await();
  }
};

TEST_F(CudaFaultsTest, DevicesSayWhatTheyAre) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  EXPECT_GT(device.compute_capability(), 0);
  EXPECT_GT(device.multiprocessors(), 0);
  EXPECT_NE(device.context(), nullptr);
  EXPECT_FALSE(device.info().physical_id.empty());
  EXPECT_NE(device.info().physical_id, Device(*platform, 1).info().physical_id);
  EXPECT_EQ(device.details().front().first, "compute_capability");
  EXPECT_EQ(AsCudaQueue(device.compute_queue())->device().name(), "cuda:0");
}

TEST_F(CudaFaultsTest, OnlyTheDevicesThatAreAskedForAreTaken) {
  const auto platform = *CudaPlatform::Create({.ordinals = {1}});
  ASSERT_EQ(platform->devices().size(), 1u);
  EXPECT_EQ(Device(*platform).name(), "cuda:0");
  EXPECT_EQ(Device(*platform).ordinal(), 1);
  const absl::Status absent =
      MakePlatform("cuda", {.ordinals = {0, 2}}).status();
  EXPECT_EQ(absent.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(absent.message(), HasSubstr("no device 2"));
  EXPECT_THAT(absent.message(), HasSubstr("has 2"));
  EXPECT_EQ(MakePlatform("cuda", {.ordinals = {1, 1}}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(CudaFaultsTest, NoDeviceIsSaid) {
  Set("no_device");
  const absl::Status status = CudaPlatform::Create({}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("CUDA_VISIBLE_DEVICES"));
}

TEST_F(CudaFaultsTest, AFailureOfEveryCallThatOpensADeviceIsNamed) {
  for (const char* call :
       {"cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName",
        "cuDeviceTotalMem", "cuDevicePrimaryCtxRetain", "cuMemGetInfo",
        "cuStreamCreate"}) {
    Set(absl::StrCat("fail=", call, ":1:802"));
    const absl::Status status = CudaPlatform::Create({}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << call;
    EXPECT_THAT(status.message(), HasSubstr(absl::StrCat(call, ": ")));
    Set("no_faults");
  }
}

TEST_F(CudaFaultsTest, MemoryIsUsedAgainAndGivenBackAtTheEnd) {
  auto platform = Make();
  CudaDevice& device = Device(*platform);
  std::vector<std::shared_ptr<DeviceMemory>> blocks;
  for (int round = 0; round < 3; ++round) {
    for (int64_t size : {0, 1, 255, 256, 257, 5000, 3 << 20, 40 << 20}) {
      blocks.push_back(*device.Allocate(size));
      EXPECT_EQ(
          reinterpret_cast<uintptr_t>(blocks.back()->address().device_bytes()) %
              CudaMemoryPool::kAlignment,
          0u);
    }
    // Every other one, then the rest.
    for (size_t i = 0; i < blocks.size(); i += 2) blocks[i].reset();
    blocks.clear();
    EXPECT_EQ(device.statistics().in_use, 0);
  }
  EXPECT_EQ(device.statistics().allocations, 24);
  // One slab for the small ones, one for the large.
  EXPECT_LE(Emulation().bytes(0), int64_t{80} << 20);
  // Memory keeps its device.
  const auto last = *device.Allocate(10);
  platform.reset();
  EXPECT_GT(Emulation().bytes(0), 0);
}

TEST_F(CudaFaultsTest, BlocksNeverOverlap) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  std::vector<std::shared_ptr<DeviceMemory>> blocks(40);
  uint64_t random = 7;
  for (int step = 0; step < 4000; ++step) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    auto& block = blocks[(random >> 33) % blocks.size()];
    block =
        block != nullptr
            ? nullptr
            : *device.Allocate(static_cast<int64_t>((random >> 20) % 4000000));
    if (step % 100 != 0) continue;
    std::map<std::byte*, int64_t> taken;
    for (const auto& each : blocks) {
      if (each != nullptr) {
        taken[each->address().device_bytes()] = each->size();
      }
    }
    std::byte* end = nullptr;
    for (const auto& [begin, size] : taken) {
      EXPECT_GE(begin, end);
      end = begin + size;
    }
  }
}

TEST_F(CudaFaultsTest, MemoryThatTheDriverRefusesIsRefusedWithTheAmounts) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  const auto held = *device.Allocate(1000);
  Set("fail=cuMemAlloc:1:2,fail=cuMemAlloc:2:2");
  const absl::Status refused = device.Allocate(int64_t{64} << 20).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(refused.message(), HasSubstr("cuda:0 could not give 64.0 MiB"));
  EXPECT_THAT(refused.message(), HasSubstr("in use: 1000 B"));
  EXPECT_TRUE(device.Allocate(int64_t{64} << 20).ok());
}

TEST_F(CudaFaultsTest, SlabsThatAreEmptyMakeRoomForALargerBlock) {
  Set("memory=200M");
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  for (int64_t mebibytes : {100, 120, 150, 170}) {
    EXPECT_TRUE(device.Allocate(mebibytes << 20).ok()) << mebibytes;
  }
  EXPECT_FALSE(device.Allocate(int64_t{190} << 20).ok());
  EXPECT_FALSE(device.Allocate(int64_t{1} << 62).ok());
}

TEST_F(CudaFaultsTest, WithoutAPoolEveryBlockIsTheDrivers) {
  const auto platform = *CudaPlatform::Create({.has_memory_pool = false});
  auto memory = *Device(*platform).Allocate(1000);
  EXPECT_GT(Emulation().bytes(0), 0);
  EXPECT_LE(Emulation().bytes(0), 1024);
  memory.reset();
  EXPECT_EQ(Emulation().bytes(0), 0);
}

TEST_F(CudaFaultsTest, LargeCopiesGoThroughPinnedMemoryInPieces) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  constexpr int64_t kLarge = PinnedStaging::kLargeSize;
  for (int64_t size : {PinnedStaging::kSmallSize, PinnedStaging::kSmallSize + 1,
                       kLarge, 6 * kLarge + 7}) {
    const auto memory = *device.Allocate(size);
    const Bytes source = Iota(static_cast<size_t>(size));
    Bytes seen(source.size());
    FirstFailure scope;
    DeviceQueue& queue = device.transfer_queue();
    queue.CopyFromHost(scope, memory->address(), source.data());
    queue.CopyToHost(scope, seen.data(), memory->address());
    EXPECT_EQ(Finish(queue, scope), absl::OkStatus());
    EXPECT_EQ(seen, source) << size;
  }
}

TEST_F(CudaFaultsTest, WithoutPinnedMemoryCopiesGoOn) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  std::string faults = "fail=cuMemHostAlloc:1:2";
  for (int i = 2; i < 20; ++i) {
    absl::StrAppend(&faults, ",fail=cuMemHostAlloc:", i, ":2");
  }
  Set(faults);
  for (size_t size : {size_t{100}, size_t{9} << 20}) {
    const Bytes source = Iota(size);
    Bytes seen(size);
    const auto memory = *device.Allocate(static_cast<int64_t>(size));
    FirstFailure scope;
    device.transfer_queue().CopyFromHost(scope, memory->address(),
                                         source.data());
    device.transfer_queue().CopyToHost(scope, seen.data(), memory->address());
    EXPECT_EQ(Finish(device.transfer_queue(), scope), absl::OkStatus());
    EXPECT_EQ(seen, source);
  }
}

// Bytes that one copy brings to the host and the next takes from there.
TEST_F(CudaFaultsTest, WhatIsCopiedToTheHostIsThereForTheNextCopy) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  DeviceQueue& queue = device.compute_queue();
  DeviceQueue& other = device.transfer_queue();
  for (size_t size : {size_t{100}, size_t{1} << 20}) {
    const auto from = *device.Allocate(static_cast<int64_t>(size));
    const auto to = *device.Allocate(static_cast<int64_t>(size));
    const auto far = *device.Allocate(static_cast<int64_t>(size));
    const Bytes source = Iota(size);
    Bytes host(size), seen(size), seen_far(size);
    FirstFailure scope;
    queue.CopyFromHost(scope, from->address(), source.data());
    queue.CopyToHost(scope, host.data(), from->address());
    queue.CopyFromHost(scope, to->address(), host.data());
    other.Wait(scope, queue.Record(scope));
    other.CopyFromHost(scope, far->address(), host.data());
    other.CopyToHost(scope, seen.data(), to->address());
    other.CopyToHost(scope, seen_far.data(), far->address());
    EXPECT_EQ(Finish(other, scope), absl::OkStatus());
    EXPECT_EQ(Finish(queue, scope), absl::OkStatus());
    EXPECT_EQ(seen, source);
    EXPECT_EQ(seen_far, source);
  }
}

TEST_F(CudaFaultsTest, EnqueuedWorkRunsAtOnceInOrderAndOnlyWithoutAFailure) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  CudaQueue& queue = *AsCudaQueue(device.compute_queue());
  const auto memory = *device.Allocate(100);
  const auto address =
      reinterpret_cast<cuda::CUdeviceptr>(memory->address().device_bytes());
  FirstFailure scope;
  std::thread::id runner;
  auto fill = [&](unsigned char value) {
    queue.Enqueue(scope, [&, value](const cuda::CudaDriver& driver,
                                    cuda::CUstream stream) {
      runner = std::this_thread::get_id();
      return LOCKSTEP_CUDA_CALL(driver, cuMemsetD8Async, address, value, 100,
                                stream);
    });
  };
  fill(1);
  EXPECT_EQ(runner, std::this_thread::get_id());
  Bytes first(100), second(100);
  queue.CopyToHost(scope, first.data(), memory->address());
  absl::Notification filled_again;
  queue.CallHost(scope, [&] {
    EXPECT_THAT(first, Each(std::byte{1}));
    filled_again.WaitForNotification();
    return absl::OkStatus();
  });
  fill(2);
  filled_again.Notify();
  queue.CopyToHost(scope, second.data(), memory->address());
  EXPECT_EQ(Finish(queue, scope), absl::OkStatus());
  EXPECT_NE(runner, std::this_thread::get_id());
  EXPECT_THAT(second, Each(std::byte{2}));
  scope.Fail(absl::DataLossError("bad sector"));
  runner = {};
  fill(3);
  EXPECT_EQ(Finish(queue, scope).message(), "bad sector");
  EXPECT_EQ(runner, std::thread::id());
}

TEST_F(CudaFaultsTest, StreamsWaitForEachOtherWithoutTheHost) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  DeviceQueue& other = Device(*platform, 1).compute_queue();
  const auto memory = *device.Allocate(100);
  Set("hold");
  FirstFailure scope;
  device.compute_queue().Fill(scope, memory->address(), std::byte{4});
  const auto filled = device.compute_queue().Record(scope);
  other.Wait(scope, filled);
  bool has_run = false;
  // At once: nothing before it is held.
  AsCudaQueue(other)->Enqueue(
      scope, [&](const cuda::CudaDriver&, cuda::CUstream) -> absl::Status {
        has_run = true;
        return absl::OkStatus();
      });
  EXPECT_TRUE(has_run);
  const auto done = other.Record(scope);
  EXPECT_FALSE(filled->is_ready());
  EXPECT_FALSE(done->is_ready());
  Set("release");
  EXPECT_EQ(done->Await(), absl::OkStatus());
  EXPECT_TRUE(filled->is_ready());
}

TEST_F(CudaFaultsTest, AnEventThatIsHeldIsAwaitedUntilItsStreamHasIt) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  DeviceQueue& queue = device.compute_queue();
  DeviceQueue& other = device.collective_queue();
  const auto memory = *device.Allocate(100);
  Bytes seen(100);
  FirstFailure scope;
  absl::Notification goes_on;
  queue.CallHost(scope, [&] {
    goes_on.WaitForNotification();
    return absl::OkStatus();
  });
  queue.Fill(scope, memory->address(), std::byte{5});
  other.Wait(scope, queue.Record(scope));
  other.CopyToHost(scope, seen.data(), memory->address());
  const auto done = other.Record(scope);
  EXPECT_FALSE(done->is_ready());
  goes_on.Notify();
  EXPECT_EQ(done->Await(), absl::OkStatus());
  EXPECT_THAT(seen, Each(std::byte{5}));
}

TEST_F(CudaFaultsTest, TheFailureOfAnotherStreamsScopeIsTheWaitersToo) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  Set("hold");
  FirstFailure theirs, ours;
  const auto event = device.compute_queue().Record(theirs);
  device.transfer_queue().Wait(ours, event);
  bool is_called = false;
  device.transfer_queue().CallHost(ours, [&] {
    is_called = true;
    return absl::OkStatus();
  });
  const auto done = device.transfer_queue().Record(ours);
  theirs.Fail(absl::AbortedError("host 1 (b) died"));
  Set("release");
  EXPECT_EQ(done->Await().message(), "host 1 (b) died");
  EXPECT_FALSE(is_called);
}

// What the results of launches have: the stream's moment, and an outcome that
// is decided there.
TEST_F(CudaFaultsTest, AFollowingEventIsAwaitedOnTheStreamAndHasItsOwnOutcome) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  CudaQueue& other = *AsCudaQueue(Device(*platform, 1).compute_queue());
  const auto memory = *device.Allocate(100);
  for (const absl::Status& outcome :
       {absl::OkStatus(), absl::AbortedError("a loop decided differently")}) {
    Set("hold");
    FirstFailure theirs, ours;
    device.compute_queue().Fill(theirs, memory->address(), std::byte{4});
    const auto filled = device.compute_queue().Record(theirs);
    const auto first = std::make_shared<FollowingEvent>(filled);
    const auto second = std::make_shared<FollowingEvent>(first);
    filled->OnReady([=](const absl::Status&) { first->Finish(outcome); });
    first->OnReady([=](const absl::Status& status) { second->Finish(status); });
    other.Wait(ours, second);
    bool has_run = false;
    other.Enqueue(ours,
                  [&](const cuda::CudaDriver&, cuda::CUstream) -> absl::Status {
                    has_run = true;
                    return absl::OkStatus();
                  });
    EXPECT_TRUE(has_run);
    const auto done = other.Record(ours);
    EXPECT_FALSE(done->is_ready());
    Set("release");
    EXPECT_EQ(done->Await(), outcome);
    EXPECT_EQ(theirs.status(), absl::OkStatus());
  }
}

TEST_F(CudaFaultsTest, ACallThatFailsFailsItsScopeAndNoOther) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  DeviceQueue& queue = device.compute_queue();
  const auto memory = *device.Allocate(1 << 20);
  Bytes bytes(1 << 20);
  struct {
    const char* call;
    std::function<void(WorkScope&)> operation;
  } cases[] = {
      {"cuMemcpyDtoDAsync",
       [&](WorkScope& scope) {
         queue.Copy(scope, memory->address().Slice(0, 10),
                    memory->address().Slice(20, 10));
       }},
      {"cuMemcpy2DAsync",
       [&](WorkScope& scope) {
         queue.CopyRows(scope, 2, 4, memory->address(), 8,
                        memory->address().Slice(100, 100), 9);
       }},
      {"cuMemsetD8Async",
       [&](WorkScope& scope) {
         queue.Fill(scope, memory->address(), std::byte{1});
       }},
      {"cuMemcpyHtoDAsync",
       [&](WorkScope& scope) {
         queue.CopyFromHost(scope, memory->address(), bytes.data());
       }},
      {"cuMemcpyDtoHAsync",
       [&](WorkScope& scope) {
         queue.CopyToHost(scope, bytes.data(), memory->address());
       }},
      {"cuEventRecord", [](WorkScope&) {}},
  };
  for (const auto& [call, operation] : cases) {
    FirstFailure failing, fine;
    Set(absl::StrCat("fail=", call, ":1:1"));
    operation(failing);
    const absl::Status status = Finish(queue, failing);
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << call;
    EXPECT_THAT(status.message(), HasSubstr(call));
    EXPECT_THAT(status.message(), HasSubstr("cuda:0"));
    Set("no_faults");
    operation(fine);
    EXPECT_EQ(Finish(queue, fine), absl::OkStatus()) << call;
  }
}

TEST_F(CudaFaultsTest, ALostDeviceFailsWhatRunsAndWhatComes) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  DeviceQueue& queue = device.compute_queue();
  const auto memory = *device.Allocate(9 << 20);
  Bytes large(9 << 20);
  Set("hold,fail=copy:2:700");
  FirstFailure running, beside, later;
  bool is_called = false;
  queue.Copy(running, memory->address().Slice(0, 10),
             memory->address().Slice(20, 10));
  queue.Copy(running, memory->address().Slice(0, 10),
             memory->address().Slice(20, 10));
  device.transfer_queue().CopyToHost(beside, large.data(), memory->address());
  device.transfer_queue().CallHost(beside, [&] {
    is_called = true;
    return absl::OkStatus();
  });
  const auto running_event = queue.Record(running);
  device.collective_queue().Wait(running, running_event);
  const auto joined = device.collective_queue().Record(running);
  const auto beside_event = device.transfer_queue().Record(beside);
  Set("release");
  for (const auto& event : {running_event, joined, beside_event}) {
    const absl::Status status = event->Await();
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
    EXPECT_THAT(status.message(), HasSubstr("cuda:0"));
    EXPECT_THAT(status.message(), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
    EXPECT_THAT(status.message(), HasSubstr("lost for this process"));
  }
  EXPECT_FALSE(is_called);
  EXPECT_EQ(device.status(), running.status());
  queue.CallHost(later, [&] {
    is_called = true;
    return absl::OkStatus();
  });
  EXPECT_EQ(Finish(queue, later), device.status());
  EXPECT_FALSE(is_called);
  EXPECT_EQ(device.Allocate(1).status(), device.status());
  EXPECT_EQ(FetchFromDevice(*memory, large.data()), device.status());
  // The other device goes on.
  const auto elsewhere = *Device(*platform, 1).Allocate(10);
  FirstFailure fine;
  Device(*platform, 1)
      .compute_queue()
      .Fill(fine, elsewhere->address(), std::byte{1});
  EXPECT_EQ(Finish(Device(*platform, 1).compute_queue(), fine),
            absl::OkStatus());
}

TEST_F(CudaFaultsTest, ADeviceThatWaitsForALostOneIsNotLost) {
  const auto platform = Make();
  CudaDevice& lost = Device(*platform);
  CudaDevice& device = Device(*platform, 1);
  const auto memory = *lost.Allocate(100);
  Set("hold,fail=copy:1:700");
  FirstFailure theirs, ours, fine;
  lost.compute_queue().Copy(theirs, memory->address().Slice(0, 10),
                            memory->address().Slice(20, 10));
  device.compute_queue().Wait(ours, lost.compute_queue().Record(theirs));
  const auto done = device.compute_queue().Record(ours);
  Set("release");
  EXPECT_THAT(done->Await().message(), HasSubstr("cuda:0"));
  device.compute_queue().Wait(ours, lost.compute_queue().Record(theirs));
  EXPECT_EQ(Finish(device.compute_queue(), fine), absl::OkStatus());
  EXPECT_EQ(device.status(), absl::OkStatus());
}

TEST_F(CudaFaultsTest, TheEndAwaitsWhatIsOnTheStreamsWithoutAnEvent) {
  auto platform = Make();
  const std::shared_ptr<LocalDevice> device = platform->devices()[0];
  const auto memory = *device->Allocate(100);
  FirstFailure scope;
  Set("hold");
  const int64_t before = Emulation().count("copy");
  device->compute_queue().Copy(scope, memory->address().Slice(0, 10),
                               memory->address().Slice(20, 10));
  std::thread other([] { Set("release"); });
  platform.reset();
  EXPECT_EQ(Emulation().count("copy"), before + 1);
  other.join();
}

TEST_F(CudaFaultsTest, WhatComesAfterTheEndFails) {
  auto platform = Make();
  const std::shared_ptr<LocalDevice> device = platform->devices()[0];
  const auto memory = *device->Allocate(10);
  platform.reset();
  Bytes bytes(10);
  EXPECT_EQ(FetchFromDevice(*memory, bytes.data()).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(CudaFaultsTest, ManyThreadsUseOneQueue) {
  const auto platform = Make();
  CudaDevice& device = Device(*platform);
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      const size_t size = t % 2 == 0 ? 100 : 200000;
      for (int i = 0; i < 20; ++i) {
        const Bytes source = Iota(size, t + i);
        Bytes seen(size);
        const auto memory = *device.Allocate(static_cast<int64_t>(size));
        FirstFailure scope;
        DeviceQueue& queue = device.transfer_queue();
        queue.CopyFromHost(scope, memory->address(), source.data());
        if (i % 3 == 0) {
          queue.CallHost(scope, [] { return absl::OkStatus(); });
        }
        queue.CopyToHost(scope, seen.data(), memory->address());
        device.compute_queue().Wait(scope, queue.Record(scope));
        EXPECT_EQ(Finish(device.compute_queue(), scope), absl::OkStatus());
        EXPECT_EQ(seen, source);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Runs in a process of its own, which has loaded no driver.
void LoadDriver(const char* settings, const char* path = kEmulation) {
  setenv("LOCKSTEP_CUDA_PATH", path, 1);
  setenv("LOCKSTEP_CUDA_EMULATION", settings, 1);
  std::cerr << MakePlatform("cuda", {}).status() << std::endl;
  _exit(0);
}

TEST(CudaLibrariesDeathTest, AnOldDriverIsNamedWithBothVersions) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(LoadDriver("driver=11080"), ::testing::ExitedWithCode(0),
              "FAILED_PRECONDITION: .*libcuda.so.1: expected a driver for CUDA "
              "12.0 or later, found one for CUDA 11.8");
}

TEST(CudaLibrariesDeathTest, AMissingDriverIsNamedWithThePlaces) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(LoadDriver("", "/nowhere:/neither"), ::testing::ExitedWithCode(0),
              "UNIMPLEMENTED: no libcuda.so.1; looked for in /nowhere, "
              "/neither");
}

}  // namespace
}  // namespace lockstep::internal
