#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/cuda/nccl_api.h"
#include "tests/cuda_emulation/emulated_cuda.h"

extern char** environ;

namespace lockstep::internal::cuda {
namespace {

ncclUniqueId NewId() {
  ncclUniqueId id;
  EXPECT_EQ(Nccl().ncclGetUniqueId(&id), ncclSuccess);
  return id;
}

// A rank on a device of its own.
class Rank {
 public:
  Rank(const ncclUniqueId& id, int ranks, int rank, int device)
      : device(device), number(rank) {
    ncclConfig_t config;
    init_result =
        Nccl().ncclCommInitRankConfig(&comm, ranks, id, rank, &config);
  }

  // Until the error is not `error`, or for a generous while.
  ncclResult_t AwaitErrorOtherThan(ncclResult_t error) const {
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    ncclResult_t found = error;
    while (found == error && std::chrono::steady_clock::now() < deadline) {
      EXPECT_EQ(Nccl().ncclCommGetAsyncError(comm, &found), ncclSuccess);
      std::this_thread::yield();
    }
    return found;
  }

  EmulatedDevice device;
  const int number;
  ncclComm_t comm = nullptr;
  ncclResult_t init_result;
};

// Calls `run` on a thread per rank.
void RunRanks(int ranks, const std::function<void(Rank&)>& run) {
  ASSERT_TRUE(Hooks().set("devices=4"));
  Driver();
  ncclUniqueId id = NewId();
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      Rank own(id, ranks, rank, rank);
      EXPECT_EQ(own.init_result, ncclSuccess);
      run(own);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Element i of what a rank brings.
int Value(int rank, int i) { return (rank + 1) * 1000 + i % 977; }

std::vector<int> Values(int rank, int count) {
  std::vector<int> values;
  for (int i = 0; i < count; ++i) values.push_back(Value(rank, i));
  return values;
}

// What all ranks check after one call of each operation.
void CheckOperations(Rank& rank, int ranks, int count) {
  const NcclFunctions& nccl = Nccl();
  EmulatedDevice& device = rank.device;
  size_t size = static_cast<size_t>(count);
  CUdeviceptr in = device.Put(Values(rank.number, count * ranks));
  CUdeviceptr out = device.Put(std::vector<int>(size * ranks, -1));
  auto* from = reinterpret_cast<void*>(in);
  auto* to = reinterpret_cast<void*>(out);

  ASSERT_EQ(nccl.ncclAllReduce(from, to, size, ncclInt32, ncclSum, rank.comm,
                               device.stream()),
            ncclSuccess);
  std::vector<int> sums = device.Get<int>(out, size);
  for (int i = 0; i < count; ++i) {
    int expected = 0;
    for (int other = 0; other < ranks; ++other) expected += Value(other, i);
    ASSERT_EQ(sums[i], expected) << i;
  }

  ASSERT_EQ(nccl.ncclReduceScatter(from, to, size, ncclInt32, ncclMax,
                                   rank.comm, device.stream()),
            ncclSuccess);
  std::vector<int> maxima = device.Get<int>(out, size);
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(maxima[i], Value(ranks - 1, rank.number * count + i)) << i;
  }

  ASSERT_EQ(
      nccl.ncclAllGather(from, to, size, ncclInt32, rank.comm, device.stream()),
      ncclSuccess);
  std::vector<int> gathered = device.Get<int>(out, size * ranks);
  for (int i = 0; i < count * ranks; ++i) {
    ASSERT_EQ(gathered[i], Value(i / count, i % count)) << i;
  }

  ASSERT_EQ(nccl.ncclBroadcast(from, to, size, ncclInt32, ranks - 1, rank.comm,
                               device.stream()),
            ncclSuccess);
  ASSERT_EQ(device.Get<int>(out, size), Values(ranks - 1, count));

  // Everybody's i-th part to rank i, and back in order of the ranks.
  ASSERT_EQ(nccl.ncclGroupStart(), ncclSuccess);
  for (int other = 0; other < ranks; ++other) {
    size_t bytes = size * sizeof(int) * other;
    ASSERT_EQ(nccl.ncclSend(reinterpret_cast<void*>(in + bytes), size,
                            ncclInt32, other, rank.comm, device.stream()),
              ncclSuccess);
    ASSERT_EQ(nccl.ncclRecv(reinterpret_cast<void*>(out + bytes), size,
                            ncclInt32, other, rank.comm, device.stream()),
              ncclSuccess);
  }
  ASSERT_EQ(nccl.ncclGroupEnd(), ncclSuccess);
  std::vector<int> received = device.Get<int>(out, size * ranks);
  for (int i = 0; i < count * ranks; ++i) {
    ASSERT_EQ(received[i], Value(i / count, rank.number * count + i % count))
        << i;
  }
}

TEST(NcclTest, ThreadsExchangeWhatEveryOperationSays) {
  for (int ranks : {1, 2, 3, 4}) {
    for (int count : {1, 7, 100'000}) {
      SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(count));
      RunRanks(ranks, [=](Rank& rank) {
        CheckOperations(rank, ranks, count);
        EXPECT_EQ(Nccl().ncclCommFinalize(rank.comm), ncclSuccess);
        EXPECT_EQ(Nccl().ncclCommDestroy(rank.comm), ncclSuccess);
      });
    }
  }
}

TEST(NcclTest, OperationsOnNothingEndWhenAllCame) {
  RunRanks(3, [](Rank& rank) {
    CUstream stream = rank.device.stream();
    EXPECT_EQ(Nccl().ncclAllReduce(nullptr, nullptr, 0, ncclFloat32, ncclSum,
                                   rank.comm, stream),
              ncclSuccess);
    EXPECT_EQ(Nccl().ncclSend(nullptr, 0, ncclInt8, (rank.number + 1) % 3,
                              rank.comm, stream),
              ncclSuccess);
    EXPECT_EQ(Nccl().ncclRecv(nullptr, 0, ncclInt8, (rank.number + 2) % 3,
                              rank.comm, stream),
              ncclSuccess);
    EXPECT_EQ(Driver().cuStreamSynchronize(stream), CUDA_SUCCESS);
    EXPECT_EQ(rank.AwaitErrorOtherThan(ncclInProgress), ncclSuccess);
  });
}

TEST(NcclTest, SumsOfHalfPrecisionAreRoundedOnce) {
  // In the order of the ranks: 2048 + 1 + 1 is 2050, not 2048, in float16; 256
  // + 1 + 1 is 258 in bfloat16.
  const uint16_t f16[] = {0x6800, 0x3c00, 0x3c00};
  const uint16_t bf16[] = {0x4380, 0x3f80, 0x3f80};
  RunRanks(3, [&](Rank& rank) {
    auto sum = [&](uint16_t value, ncclDataType_t type) {
      CUdeviceptr data = rank.device.Put(std::vector<uint16_t>{value});
      auto* pointer = reinterpret_cast<void*>(data);
      EXPECT_EQ(Nccl().ncclAllReduce(pointer, pointer, 1, type, ncclSum,
                                     rank.comm, rank.device.stream()),
                ncclSuccess);
      return rank.device.Get<uint16_t>(data, 1)[0];
    };
    EXPECT_EQ(sum(f16[rank.number], ncclFloat16), 0x6801);
    EXPECT_EQ(sum(bf16[rank.number], ncclBfloat16), 0x4381);
  });
}

TEST(NcclTest, CapturedOperationsRunWithEachLaunchOfTheGraph) {
  RunRanks(2, [](Rank& rank) {
    const DriverFunctions& driver = Driver();
    CUstream stream = rank.device.stream();
    CUdeviceptr data = rank.device.Put(std::vector<float>{1.0f, 2.0f});
    auto* pointer = reinterpret_cast<void*>(data);
    ASSERT_EQ(driver.cuStreamBeginCapture(stream,
                                          CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
              CUDA_SUCCESS);
    ASSERT_EQ(Nccl().ncclAllReduce(pointer, pointer, 2, ncclFloat32, ncclSum,
                                   rank.comm, stream),
              ncclSuccess);
    CUgraph graph = nullptr;
    CUgraphExec exec = nullptr;
    ASSERT_EQ(driver.cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
    ASSERT_EQ(driver.cuGraphInstantiate(&exec, graph, 0), CUDA_SUCCESS);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(driver.cuGraphLaunch(exec, stream), CUDA_SUCCESS);
    }
    EXPECT_EQ(rank.device.Get<float>(data, 2),
              (std::vector<float>{8.0f, 16.0f}));
  });
}

TEST(NcclTest, JoiningWithoutBlockingIsInProgressUntilAllCame) {
  EmulatedDevice device(0);
  ncclUniqueId id = NewId();
  ncclConfig_t config;
  config.blocking = 0;
  ncclComm_t comm = nullptr;
  ASSERT_EQ(Nccl().ncclCommInitRankConfig(&comm, 2, id, 0, &config),
            ncclInProgress);
  ncclResult_t error = ncclSuccess;
  ASSERT_EQ(Nccl().ncclCommGetAsyncError(comm, &error), ncclSuccess);
  EXPECT_EQ(error, ncclInProgress);
  std::thread other([&] {
    Rank rank(id, 2, 1, 1);
    EXPECT_EQ(rank.init_result, ncclSuccess);
  });
  other.join();
  do {
    ASSERT_EQ(Nccl().ncclCommGetAsyncError(comm, &error), ncclSuccess);
  } while (error == ncclInProgress);
  EXPECT_EQ(error, ncclSuccess);
}

TEST(NcclTest, AbortEndsAJoiningThatNobodyJoins) {
  EmulatedDevice device(0);
  ncclConfig_t config;
  config.blocking = 0;
  ncclComm_t comm = nullptr;
  ASSERT_EQ(Nccl().ncclCommInitRankConfig(&comm, 2, NewId(), 0, &config),
            ncclInProgress);
  EXPECT_EQ(Nccl().ncclCommAbort(comm), ncclSuccess);
}

TEST(NcclTest, TwoRanksOfOneDeviceAreRefused) {
  Driver();
  ncclUniqueId id = NewId();
  auto join = [&](int number) {
    Rank rank(id, 2, number, 0);
    EXPECT_EQ(rank.init_result, ncclInvalidUsage);
  };
  std::thread other(join, 1);
  join(0);
  other.join();
}

TEST(NcclTest, AbortEndsWhatWaitsForAMissingRank) {
  RunRanks(2, [](Rank& rank) {
    if (rank.number == 1) {
      EXPECT_EQ(rank.AwaitErrorOtherThan(ncclSuccess), ncclRemoteError);
      return;
    }
    CUdeviceptr data = rank.device.Put(std::vector<float>(3));
    auto* pointer = reinterpret_cast<void*>(data);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(Nccl().ncclAllReduce(pointer, pointer, 3, ncclFloat32, ncclSum,
                                     rank.comm, rank.device.stream()),
                ncclSuccess);
    }
    EXPECT_EQ(Driver().cuStreamQuery(rank.device.stream()),
              CUDA_ERROR_NOT_READY);
    std::thread([&] {
      EXPECT_EQ(Nccl().ncclCommAbort(rank.comm), ncclSuccess);
    }).join();
    EXPECT_EQ(Driver().cuStreamSynchronize(rank.device.stream()), CUDA_SUCCESS);
  });
}

TEST(NcclTest, CallsThatDifferAreAnInvalidArgument) {
  RunRanks(2, [](Rank& rank) {
    CUdeviceptr data = rank.device.Put(std::vector<float>(8));
    auto* pointer = reinterpret_cast<void*>(data);
    size_t count = rank.number == 0 ? 4 : 5;
    ASSERT_EQ(Nccl().ncclAllReduce(pointer, pointer, count, ncclFloat32,
                                   ncclSum, rank.comm, rank.device.stream()),
              ncclSuccess);
    EXPECT_EQ(rank.AwaitErrorOtherThan(ncclSuccess), ncclInvalidArgument);
  });
}

TEST(NcclTest, FaultsComeFromTheSettings) {
  RunRanks(1, [](Rank& rank) {
    ASSERT_TRUE(Hooks().set("fail=ncclAllReduce:1:3,fail=nccl:1:2"));
    CUdeviceptr data = rank.device.Put(std::vector<float>(1));
    auto* pointer = reinterpret_cast<void*>(data);
    auto reduce = [&] {
      return Nccl().ncclAllReduce(pointer, pointer, 1, ncclFloat32, ncclSum,
                                  rank.comm, rank.device.stream());
    };
    EXPECT_EQ(reduce(), ncclInternalError);
    EXPECT_EQ(reduce(), ncclSuccess);
    EXPECT_EQ(rank.AwaitErrorOtherThan(ncclSuccess), ncclSystemError);
    EXPECT_EQ(Nccl().ncclCommAbort(rank.comm), ncclSuccess);
    ASSERT_TRUE(Hooks().set("no_faults"));
  });
}

// This program again, as rank 1 of 2 in a process of its own.
pid_t StartPeer(const ncclUniqueId& id, const std::string& task) {
  std::vector<std::string> words = {"peer",
                                    "--gtest_filter=NcclTest.DISABLED_Peer",
                                    "--gtest_also_run_disabled_tests"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  setenv("PEER_ID", id.internal, 1);
  setenv("PEER_TASK", task.c_str(), 1);
  pid_t pid = 0;
  EXPECT_EQ(posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr,
                        arguments.data(), environ),
            0);
  return pid;
}

TEST(NcclTest, DISABLED_Peer) {
  ncclUniqueId id = {};
  std::string(std::getenv("PEER_ID")).copy(id.internal, sizeof(id.internal));
  Rank rank(id, 2, 1, 1);
  ASSERT_EQ(rank.init_result, ncclSuccess);
  CheckOperations(rank, 2, 5000);
  if (std::string(std::getenv("PEER_TASK")) == "wait") pause();
}

TEST(NcclTest, ProcessesExchangeWhatEveryOperationSays) {
  ncclUniqueId id = NewId();
  pid_t peer = StartPeer(id, "");
  Rank rank(id, 2, 0, 0);
  ASSERT_EQ(rank.init_result, ncclSuccess);
  CheckOperations(rank, 2, 5000);
  int status = -1;
  ASSERT_EQ(waitpid(peer, &status, 0), peer);
  EXPECT_EQ(status, 0);
}

TEST(NcclTest, AProcessThatDiesIsARemoteError) {
  ncclUniqueId id = NewId();
  pid_t peer = StartPeer(id, "wait");
  Rank rank(id, 2, 0, 0);
  ASSERT_EQ(rank.init_result, ncclSuccess);
  CheckOperations(rank, 2, 5000);
  CUdeviceptr data = rank.device.Put(std::vector<float>(1));
  auto* pointer = reinterpret_cast<void*>(data);
  ASSERT_EQ(Nccl().ncclAllReduce(pointer, pointer, 1, ncclFloat32, ncclSum,
                                 rank.comm, rank.device.stream()),
            ncclSuccess);
  ASSERT_EQ(kill(peer, SIGKILL), 0);  // Not waited for: a zombie is dead too.
  EXPECT_EQ(rank.AwaitErrorOtherThan(ncclSuccess), ncclRemoteError);
  EXPECT_EQ(Nccl().ncclCommAbort(rank.comm), ncclSuccess);
  EXPECT_EQ(Driver().cuStreamSynchronize(rank.device.stream()), CUDA_SUCCESS);
  EXPECT_EQ(waitpid(peer, nullptr, 0), peer);
}

}  // namespace
}  // namespace lockstep::internal::cuda
