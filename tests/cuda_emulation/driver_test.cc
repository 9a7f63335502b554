#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/cuda/driver_api.h"
#include "tests/cuda_emulation/emulated_cuda.h"

namespace lockstep::internal::cuda {
namespace {

constexpr auto kNotPermitted = static_cast<CUresult>(800);
constexpr auto kUnjoined = static_cast<CUresult>(904);
constexpr auto kIsolation = static_cast<CUresult>(905);

constexpr char kIncrement[] = R"(
extern "C" __global__ void increment(int* data, int by) { *data += by; }
)";

// Streams do nothing from here to Release or the end.
class HeldStreams {
 public:
  HeldStreams() { EXPECT_TRUE(Hooks().set("hold")); }
  ~HeldStreams() { Release(); }
  void Release() { EXPECT_TRUE(Hooks().set("release")); }
};

CUstream NewStream() {
  CUstream stream = nullptr;
  EXPECT_EQ(Driver().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
            CUDA_SUCCESS);
  return stream;
}

CUevent NewEvent(unsigned flags = 0) {
  CUevent event = nullptr;
  EXPECT_EQ(Driver().cuEventCreate(&event, flags), CUDA_SUCCESS);
  return event;
}

// The first case: later ones change the settings.
TEST(DriverDeathTest, ADriverBeginsWithTheSettingsOfItsEnvironment) {
  EmulatedDevice device;
  size_t bytes = 0;
  ASSERT_EQ(Driver().cuDeviceTotalMem(&bytes, 0), CUDA_SUCCESS);
  EXPECT_EQ(bytes, size_t{2} << 30);
}

TEST(DriverTest, CallsNeedAContext) {
  Driver();
  std::thread([] {
    CUdeviceptr address = 0;
    EXPECT_EQ(Driver().cuMemAlloc(&address, 1), CUDA_ERROR_INVALID_CONTEXT);
  }).join();
}

TEST(DriverTest, DevicesAreThoseOfTheSettings) {
  ASSERT_TRUE(Hooks().set("devices=3,memory=64M,driver=12020"));
  int count = 0;
  ASSERT_EQ(Driver().cuDeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, 3);
  int version = 0;
  ASSERT_EQ(Driver().cuDriverGetVersion(&version), CUDA_SUCCESS);
  EXPECT_EQ(version, 12020);
  size_t bytes = 0;
  ASSERT_EQ(Driver().cuDeviceTotalMem(&bytes, 2), CUDA_SUCCESS);
  EXPECT_EQ(bytes, size_t{64} << 20);
  CUdevice device = 0;
  EXPECT_EQ(Driver().cuDeviceGet(&device, 3), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_FALSE(Hooks().set("devices=1,colour=red"));
  ASSERT_TRUE(Hooks().set("no_device"));
  EXPECT_EQ(Driver().cuInit(0), CUDA_ERROR_NO_DEVICE);
  ASSERT_TRUE(Hooks().set("devices=2,memory=1G,driver=13000"));
}

TEST(DriverTest, MemoryIsLimitedAndCounted) {
  EmulatedDevice device;
  ASSERT_TRUE(Hooks().set("memory=1M"));
  CUdeviceptr address = 0;
  EXPECT_EQ(Driver().cuMemAlloc(&address, (1 << 20) + 1),
            CUDA_ERROR_OUT_OF_MEMORY);
  ASSERT_EQ(Driver().cuMemAlloc(&address, 1 << 19), CUDA_SUCCESS);
  EXPECT_EQ(address % 256, 0u);
  EXPECT_EQ(Hooks().bytes(0), 1 << 19);
  size_t free = 0;
  size_t total = 0;
  ASSERT_EQ(Driver().cuMemGetInfo(&free, &total), CUDA_SUCCESS);
  EXPECT_EQ(free, size_t{1} << 19);
  EXPECT_EQ(total, size_t{1} << 20);
  EXPECT_EQ(device.Get<uint8_t>(address, 1)[0], 0xff);
  EXPECT_EQ(Driver().cuMemFree(address), CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuMemFree(address), CUDA_ERROR_INVALID_VALUE);
  ASSERT_TRUE(Hooks().set("memory=1G"));
}

TEST(DriverDeathTest, AHostThatTouchesDeviceMemoryDies) {
  EmulatedDevice device;
  CUdeviceptr address = device.Put(std::vector<int>{1});
  EXPECT_DEATH(*reinterpret_cast<volatile int*>(address) = 2, "");
}

TEST(DriverTest, CopiesOutsideOfABlockFailTheContext) {
  for (size_t bytes : {1024, 1025}) {
    EmulatedDevice device;
    CUdeviceptr address = 0;
    ASSERT_EQ(Driver().cuMemAlloc(&address, 1024), CUDA_SUCCESS);
    ASSERT_EQ(Driver().cuMemsetD8Async(address, 0, bytes, device.stream()),
              CUDA_SUCCESS);
    EXPECT_EQ(Driver().cuStreamSynchronize(device.stream()),
              bytes == 1024 ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS);
  }
}

TEST(DriverTest, OnlyPageableSourcesAreReadAtTheCall) {
  EmulatedDevice device;
  void* pinned = nullptr;
  ASSERT_EQ(Driver().cuMemHostAlloc(&pinned, 4, CU_MEMHOSTALLOC_PORTABLE),
            CUDA_SUCCESS);
  std::vector<int> pageable = {1};
  auto* locked = static_cast<int*>(pinned);
  *locked = 1;
  CUdeviceptr data = device.Put(std::vector<int>(2));
  HeldStreams held;
  ASSERT_EQ(
      Driver().cuMemcpyHtoDAsync(data, pageable.data(), 4, device.stream()),
      CUDA_SUCCESS);
  ASSERT_EQ(Driver().cuMemcpyHtoDAsync(data + 4, locked, 4, device.stream()),
            CUDA_SUCCESS);
  pageable[0] = 2;
  *locked = 2;
  held.Release();
  EXPECT_EQ(device.Get<int>(data, 2), (std::vector<int>{1, 2}));
}

TEST(DriverTest, RowsAreCopiedBetweenPitches) {
  EmulatedDevice device;
  CUdeviceptr from =
      device.Put(std::vector<uint8_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  std::vector<uint8_t> to(8, 9);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.srcPitch = 3;
  copy.srcXInBytes = 1;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to.data();
  copy.dstPitch = 4;
  copy.WidthInBytes = 2;
  copy.Height = 2;
  ASSERT_EQ(Driver().cuMemcpy2DAsync(&copy, device.stream()), CUDA_SUCCESS);
  ASSERT_EQ(Driver().cuStreamSynchronize(device.stream()), CUDA_SUCCESS);
  EXPECT_EQ(to, (std::vector<uint8_t>{4, 5, 9, 9, 7, 8, 9, 9}));
}

TEST(DriverTest, AStreamThatWaitsForAnEventRunsAfterIt) {
  EmulatedDevice device;
  CUfunction increment = device.Load(kIncrement, "increment");
  CUdeviceptr data = device.Put(std::vector<int>{0});
  CUstream other = NewStream();
  CUevent event = NewEvent();
  EXPECT_EQ(Driver().cuEventQuery(event), CUDA_SUCCESS);
  for (int i = 0; i < 50; ++i) {
    for (CUstream stream : {device.stream(), other}) {
      int by = 1;
      void* parameters[] = {&data, &by};
      ASSERT_EQ(Driver().cuStreamWaitEvent(stream, event, 0), CUDA_SUCCESS);
      ASSERT_EQ(Driver().cuLaunchKernel(increment, 1, 1, 1, 1, 1, 1, 0, stream,
                                        parameters, nullptr),
                CUDA_SUCCESS);
      ASSERT_EQ(Driver().cuEventRecord(event, stream), CUDA_SUCCESS);
    }
  }
  ASSERT_EQ(Driver().cuEventSynchronize(event), CUDA_SUCCESS);
  EXPECT_EQ(device.Get<int>(data, 1)[0], 100);
}

TEST(DriverTest, EventsTellTimes) {
  EmulatedDevice device;
  CUevent begin = NewEvent();
  CUevent end = NewEvent();
  CUevent untimed = NewEvent(CU_EVENT_DISABLE_TIMING);
  float milliseconds = -1;
  HeldStreams held;
  for (CUevent event : {begin, end, untimed}) {
    ASSERT_EQ(Driver().cuEventRecord(event, device.stream()), CUDA_SUCCESS);
  }
  EXPECT_EQ(Driver().cuEventQuery(end), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(Driver().cuStreamQuery(device.stream()), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(Driver().cuEventElapsedTime(&milliseconds, begin, end),
            CUDA_ERROR_NOT_READY);
  held.Release();
  ASSERT_EQ(Driver().cuEventSynchronize(untimed), CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuEventElapsedTime(&milliseconds, begin, end),
            CUDA_SUCCESS);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(Driver().cuEventElapsedTime(&milliseconds, begin, untimed),
            CUDA_ERROR_INVALID_HANDLE);
}

TEST(DriverTest, FunctionsOfTheHostRunAtTheirTurnAndMayNotCallTheDriver) {
  EmulatedDevice device;
  std::atomic<CUresult> result{CUDA_SUCCESS};
  ASSERT_EQ(Driver().cuLaunchHostFunc(
                device.stream(),
                [](void* data) {
                  CUdeviceptr address = 0;
                  *static_cast<std::atomic<CUresult>*>(data) =
                      Driver().cuMemAlloc(&address, 1);
                },
                &result),
            CUDA_SUCCESS);
  ASSERT_EQ(Driver().cuStreamSynchronize(device.stream()), CUDA_SUCCESS);
  EXPECT_EQ(result, kNotPermitted);
}

TEST(DriverTest, TheCallThatShallFailFails) {
  EmulatedDevice device;
  ASSERT_TRUE(Hooks().set("fail=cuMemAlloc:2:2,fail=copy:1:719"));
  int64_t calls = Hooks().count("cuMemAlloc");
  CUdeviceptr address = 0;
  EXPECT_EQ(Driver().cuMemAlloc(&address, 1), CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuMemAlloc(&address, 1), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Driver().cuMemAlloc(&address, 1), CUDA_SUCCESS);
  EXPECT_EQ(Hooks().count("cuMemAlloc"), calls + 3);
  ASSERT_EQ(Driver().cuMemsetD8Async(address, 0, 1, device.stream()),
            CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(Driver().cuStreamQuery(device.stream()), CUDA_ERROR_LAUNCH_FAILED);
  ASSERT_TRUE(Hooks().set("no_faults"));
}

TEST(DriverTest, AContextTakesItsStreamsAndItsErrorsAlong) {
  CUstream stream = nullptr;
  {
    EmulatedDevice device;
    stream = device.stream();
    ASSERT_EQ(Driver().cuMemsetD8Async(1, 0, 1, stream), CUDA_SUCCESS);
    ASSERT_EQ(Driver().cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  }
  EmulatedDevice device;
  EXPECT_EQ(Driver().cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(Driver().cuCtxSynchronize(), CUDA_SUCCESS);
}

TEST(DriverTest, HandlesThatAreNoneAreRefused) {
  EmulatedDevice device;
  CUstream stream = NewStream();
  EXPECT_EQ(Driver().cuStreamDestroy(stream), CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  CUmodule module = nullptr;
  char image[64] = "no cubin";
  EXPECT_EQ(Driver().cuModuleLoadData(&module, image),
            CUDA_ERROR_INVALID_IMAGE);
}

// A captured launch that adds `by` to an int.
class GraphTest : public ::testing::Test {
 protected:
  CUgraph Capture(int by, int launches = 1) {
    CUgraph graph = nullptr;
    EXPECT_EQ(Driver().cuStreamBeginCapture(
                  device_.stream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
              CUDA_SUCCESS);
    for (int i = 0; i < launches; ++i) {
      EXPECT_EQ(device_.Launch(increment_, 1, 1, data_, by), CUDA_SUCCESS);
    }
    EXPECT_EQ(Driver().cuStreamEndCapture(device_.stream(), &graph),
              CUDA_SUCCESS);
    return graph;
  }

  CUresult Begin(CUstreamCaptureMode mode) {
    return Driver().cuStreamBeginCapture(device_.stream(), mode);
  }
  CUresult End() {
    CUgraph graph = nullptr;
    return Driver().cuStreamEndCapture(device_.stream(), &graph);
  }

  EmulatedDevice device_;
  CUfunction increment_ = device_.Load(kIncrement, "increment");
  CUdeviceptr data_ = device_.Put(std::vector<int>{0});
};

TEST_F(GraphTest, CapturedLaunchesRunWithEachLaunchOfTheGraph) {
  CUgraph graph = Capture(3);
  EXPECT_EQ(device_.Get<int>(data_, 1)[0], 0);
  CUgraphExec exec = nullptr;
  ASSERT_EQ(Driver().cuGraphInstantiate(&exec, graph, 0), CUDA_SUCCESS);
  ASSERT_EQ(Driver().cuGraphDestroy(graph), CUDA_SUCCESS);
  ASSERT_EQ(Driver().cuGraphLaunch(exec, device_.stream()), CUDA_SUCCESS);
  ASSERT_EQ(Driver().cuGraphLaunch(exec, device_.stream()), CUDA_SUCCESS);
  EXPECT_EQ(device_.Get<int>(data_, 1)[0], 6);
  EXPECT_EQ(Driver().cuGraphExecDestroy(exec), CUDA_SUCCESS);
}

TEST_F(GraphTest, AnUpdateChangesParametersAndNothingElse) {
  CUgraphExec exec = nullptr;
  ASSERT_EQ(Driver().cuGraphInstantiate(&exec, Capture(3), 0), CUDA_SUCCESS);
  CUgraphExecUpdateResultInfo info;
  ASSERT_EQ(Driver().cuGraphExecUpdate(exec, Capture(5), &info), CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuGraphExecUpdate(exec, Capture(7, /*launches=*/2), &info),
            CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  ASSERT_EQ(Driver().cuGraphLaunch(exec, device_.stream()), CUDA_SUCCESS);
  EXPECT_EQ(device_.Get<int>(data_, 1)[0], 5);
}

TEST_F(GraphTest, StreamsJoinThroughEventsAndMustComeBack) {
  CUstream other = NewStream();
  CUevent fork = NewEvent();
  CUevent join = NewEvent();
  for (bool comes_back : {true, false}) {
    ASSERT_EQ(Begin(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), CUDA_SUCCESS);
    ASSERT_EQ(Driver().cuEventRecord(fork, device_.stream()), CUDA_SUCCESS);
    ASSERT_EQ(Driver().cuStreamWaitEvent(other, fork, 0), CUDA_SUCCESS);
    ASSERT_EQ(Driver().cuMemsetD8Async(data_, 1, 1, other), CUDA_SUCCESS);
    ASSERT_EQ(Driver().cuEventRecord(join, other), CUDA_SUCCESS);
    if (comes_back) {
      ASSERT_EQ(Driver().cuStreamWaitEvent(device_.stream(), join, 0),
                CUDA_SUCCESS);
    }
    EXPECT_EQ(End(), comes_back ? CUDA_SUCCESS : kUnjoined);
  }
  EXPECT_EQ(device_.Get<int>(data_, 1)[0], 0);
}

TEST_F(GraphTest, WhatMayNotBeCapturedBreaksTheCapture) {
  ASSERT_EQ(Begin(CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuStreamSynchronize(device_.stream()),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(device_.Launch(increment_, 1, 1, data_, 1),
            CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(End(), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);

  CUevent before = NewEvent();
  ASSERT_EQ(Driver().cuEventRecord(before, device_.stream()), CUDA_SUCCESS);
  ASSERT_EQ(Begin(CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuStreamWaitEvent(device_.stream(), before, 0),
            kIsolation);
  EXPECT_EQ(End(), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(GraphTest, ACaptureIsOverAlsoWhenItsEndFails) {
  ASSERT_EQ(Begin(CU_STREAM_CAPTURE_MODE_RELAXED), CUDA_SUCCESS);
  ASSERT_EQ(device_.Launch(increment_, 1, 1, data_, 1), CUDA_SUCCESS);
  ASSERT_TRUE(Hooks().set("fail=cuStreamEndCapture:1:901"));
  EXPECT_EQ(End(), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  ASSERT_TRUE(Hooks().set("no_faults"));
  EXPECT_EQ(device_.Launch(increment_, 1, 1, data_, 5), CUDA_SUCCESS);
  EXPECT_EQ(device_.Get<int>(data_, 1)[0], 5);
}

TEST_F(GraphTest, LaunchesOutliveWhatBecomesOfTheirGraph) {
  CUgraphExec exec = nullptr;
  ASSERT_EQ(Driver().cuGraphInstantiate(&exec, Capture(3), 0), CUDA_SUCCESS);
  ASSERT_TRUE(Hooks().set("hold"));
  ASSERT_EQ(Driver().cuGraphLaunch(exec, device_.stream()), CUDA_SUCCESS);
  CUgraphExecUpdateResultInfo info;
  ASSERT_EQ(Driver().cuGraphExecUpdate(exec, Capture(5), &info), CUDA_SUCCESS);
  ASSERT_EQ(Driver().cuGraphLaunch(exec, device_.stream()), CUDA_SUCCESS);
  ASSERT_EQ(Driver().cuGraphExecDestroy(exec), CUDA_SUCCESS);
  ASSERT_TRUE(Hooks().set("release"));
  EXPECT_EQ(device_.Get<int>(data_, 1)[0], 8);
}

TEST_F(GraphTest, WhereMemoryMayBeAllocatedDependsOnTheMode) {
  struct Case {
    CUstreamCaptureMode mode;
    bool is_other_thread;
    bool is_allowed;
  };
  for (const Case& c : {
           Case{CU_STREAM_CAPTURE_MODE_RELAXED, false, true},
           Case{CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, false, false},
           Case{CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, true, true},
           Case{CU_STREAM_CAPTURE_MODE_GLOBAL, true, false},
       }) {
    ASSERT_EQ(Begin(c.mode), CUDA_SUCCESS);
    auto allocate = [&] {
      CUdeviceptr address = 0;
      EXPECT_EQ(Driver().cuCtxSetCurrent(device_.context()), CUDA_SUCCESS);
      EXPECT_EQ(
          Driver().cuMemAlloc(&address, 1),
          c.is_allowed ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    };
    if (c.is_other_thread) {
      std::thread(allocate).join();
    } else {
      allocate();
    }
    EXPECT_EQ(End(), c.is_allowed ? CUDA_SUCCESS
                                  : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  }
}

}  // namespace
}  // namespace lockstep::internal::cuda
