// What only endpoints over NCCL do, on emulated GPUs: which reductions NCCL
// computes, and how what waits on a stream ends. What all endpoints do:
// tests/conformance/communicator.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/cancellation.h"
#include "runtime/base/status.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/collectives/nccl/nccl_clique_provider.h"
#include "runtime/collectives/nccl/nccl_reduction.h"
#include "runtime/collectives/reduction.h"
#include "runtime/cuda/nccl.h"
#include "runtime/devices/cuda/cuda_platform.h"
#include "tests/cuda_emulation/emulated_cuda.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

constexpr int64_t kSequence = 42;

// One launch on all devices, each with a scope that fails with it as a worker's
// does.
class Launch {
 public:
  Launch(int64_t number, InProcessCliqueProvider& hosts)
      : id_{Epoch(1), kSequence, LaunchNumber(number)},
        hosts_(hosts),
        scope_(*this) {}

  CollectiveCall Call(int64_t number) {
    CollectiveCall call;
    call.epoch = id_.epoch;
    call.launch_sequence = id_.sequence;
    call.launch = id_.launch;
    call.number = number;
    call.description =
        absl::StrCat("collective #", number, " of launch ", id_.launch.value());
    call.cancellation = &token_;
    return call;
  }
  WorkScope& scope() { return scope_; }
  void Fail(const absl::Status& cause) {
    hosts_.AbortLaunch(id_, cause);
    token_.Cancel(cause);
  }
  absl::Status status() const { return token_.status(); }

 private:
  class Scope : public WorkScope {
   public:
    explicit Scope(Launch& launch) : launch_(launch) {}
    absl::Status status() const override { return launch_.status(); }
    void Fail(const absl::Status& cause) override { launch_.Fail(cause); }

   private:
    Launch& launch_;
  };

  const LaunchId id_;
  InProcessCliqueProvider& hosts_;
  CancellationToken token_;
  Scope scope_;
};

class NcclCollectives : public ::testing::Test {
 protected:
  static constexpr int kRanks = 3;
  static constexpr int64_t kCount = 1000;

  void SetUp() override {
    setenv("LOCKSTEP_CUDA_PATH", "tests/cuda_emulation", 1);
    Set("no_faults,release,devices=3");
    platform_ = *CudaPlatform::Create({});
    provider_ = std::make_unique<NcclCliqueProvider>(
        NcclCommunicator::Options{.nccl = *cuda::LoadNccl()}, hosts_);
    for (int device = 0; device < kRanks; ++device) {
      endpoints_.push_back(Acquire(device));
      for (auto* memory : {&operands_, &results_}) {
        memory->push_back(*local(device).Allocate(kCount * sizeof(int32_t)));
      }
    }
  }
  void TearDown() override {
    Set("no_faults,release");
    endpoints_.clear();
    provider_ = nullptr;
    operands_.clear();
    results_.clear();
    platform_ = nullptr;
    for (int device = 0; device < kRanks; ++device) {
      EXPECT_EQ(cuda::Hooks().bytes(device), 0);
    }
  }

  static void Set(const std::string& settings) {
    ASSERT_TRUE(cuda::Hooks().set(settings.c_str())) << settings;
  }
  static CliqueKey Key(uint64_t incarnation = 1) {
    std::vector<CliqueMember> members;
    for (int device = 0; device < kRanks; ++device) {
      members.push_back(
          {GlobalDeviceId(device), HostId(0), Incarnation(incarnation)});
    }
    return CliqueKey(members);
  }
  std::shared_ptr<Communicator> Acquire(int device) {
    return *provider_->Acquire(Key(), GlobalDeviceId(device));
  }
  LocalDevice& local(int device) { return *platform_->devices()[device]; }
  DeviceQueue& queue(int device) { return local(device).compute_queue(); }

  // By rank.
  std::vector<absl::Status> Prepare(Launch& launch) {
    std::vector<absl::Status> statuses(kRanks);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < kRanks; ++rank) {
      threads.emplace_back([&, rank] {
        statuses[rank] = endpoints_[rank]->Prepare(queue(rank), launch.Call(0));
        if (!statuses[rank].ok()) launch.Fail(statuses[rank]);
      });
    }
    for (std::thread& thread : threads) thread.join();
    return statuses;
  }

  // The sum of `value` + rank, as often as there are elements.
  void Sum(Launch& launch, int rank, int64_t number, int32_t value = 0) {
    // There until the queue has come through.
    const std::vector<int32_t>& values =
        values_.emplace_back(kCount, value + rank);
    queue(rank).CopyFromHost(launch.scope(), operands_[rank]->address(),
                             reinterpret_cast<const std::byte*>(values.data()));
    ASSERT_EQ(endpoints_[rank]->AllReduce(
                  queue(rank), launch.scope(), launch.Call(number),
                  operands_[rank]->address(), results_[rank]->address(), kCount,
                  *sum_),
              absl::OkStatus());
  }
  std::shared_ptr<DeviceEvent> Record(Launch& launch, int rank) {
    return queue(rank).Record(launch.scope());
  }
  std::vector<int32_t> Result(Launch& launch, int rank) {
    std::vector<int32_t> values(kCount);
    queue(rank).CopyToHost(launch.scope(),
                           reinterpret_cast<std::byte*>(values.data()),
                           results_[rank]->address());
    EXPECT_EQ(Record(launch, rank)->Await(), absl::OkStatus());
    return values;
  }
  void ExpectLaunchWorks(int64_t number) {
    Launch launch(number, hosts_);
    EXPECT_THAT(Prepare(launch), Each(absl::OkStatus()));
    for (int rank = 0; rank < kRanks; ++rank) Sum(launch, rank, 0, 7);
    for (int rank = 0; rank < kRanks; ++rank) {
      EXPECT_THAT(Result(launch, rank), Each(7 + 8 + 9));
    }
  }

  const std::unique_ptr<Reduction> sum_ =
      MakeReduction(ReductionKind::kAdd, ElementType::kS32).value();
  InProcessCliqueProvider hosts_;
  std::unique_ptr<CudaPlatform> platform_;
  std::unique_ptr<NcclCliqueProvider> provider_;
  std::vector<std::shared_ptr<Communicator>> endpoints_;
  std::deque<std::vector<int32_t>> values_;
  std::vector<std::shared_ptr<DeviceMemory>> operands_;
  std::vector<std::shared_ptr<DeviceMemory>> results_;
};

TEST_F(NcclCollectives, LaunchesShareOneCommunicator) {
  ExpectLaunchWorks(1);
  // Nobody could join another one.
  Set("fail=ncclGetUniqueId:1:3,fail=ncclCommInitRankConfig:1:3");
  ExpectLaunchWorks(2);
  ExpectLaunchWorks(3);
}

TEST_F(NcclCollectives, OneThatNobodyJoinsEndsWithItsLaunch) {
  Launch launch(1, hosts_);
  EXPECT_THAT(Prepare(launch), Each(absl::OkStatus()));
  Sum(launch, 0, 0);
  const auto done = Record(launch, 0);
  EXPECT_FALSE(done->is_ready());
  launch.Fail(absl::DataLossError("bus error"));
  EXPECT_EQ(done->Await().message(), "bus error");
  ExpectLaunchWorks(2);
}

TEST_F(NcclCollectives, LaunchesBeforeAFailedOneComplete_ThoseBehindFail) {
  Launch first(1, hosts_), second(2, hosts_), third(3, hosts_);
  EXPECT_THAT(Prepare(first), Each(absl::OkStatus()));
  Set("hold");
  for (int rank = 0; rank < kRanks; ++rank) Sum(first, rank, 0, 1);
  std::vector<std::shared_ptr<DeviceEvent>> firsts, thirds;
  for (int rank = 0; rank < kRanks; ++rank) {
    firsts.push_back(Record(first, rank));
  }
  EXPECT_THAT(Prepare(second), Each(absl::OkStatus()));
  for (int rank = 0; rank < kRanks; ++rank) Sum(second, rank, 0);
  EXPECT_THAT(Prepare(third), Each(absl::OkStatus()));
  Sum(third, 0, 0);
  thirds.push_back(Record(third, 0));
  second.Fail(absl::DataLossError("bus error"));
  EXPECT_EQ(first.status(), absl::OkStatus());
  EXPECT_EQ(third.status(), absl::OkStatus());
  Set("release");
  for (const auto& event : firsts) EXPECT_EQ(event->Await(), absl::OkStatus());
  EXPECT_THAT(std::string(thirds[0]->Await().message()),
              AllOf(HasSubstr("the communicator of devices [0,1,2] has ended"),
                    HasSubstr("bus error")));
  ExpectLaunchWorks(4);
}

TEST_F(NcclCollectives, AMemberThatFailedAfterTheStartJoinsAnewWithTheOthers) {
  ExpectLaunchWorks(1);
  Launch failed(2, hosts_);
  EXPECT_THAT(Prepare(failed), Each(absl::OkStatus()));
  // Ranks 0 and 1 call it, and then the launch ends for a reason of rank 2.
  Sum(failed, 0, 0);
  Sum(failed, 1, 0);
  failed.Fail(absl::DataLossError("bus error"));
  ExpectLaunchWorks(3);
}

TEST_F(NcclCollectives, ErrorsThatNcclFindsEndTheWait) {
  ExpectLaunchWorks(1);
  Launch launch(2, hosts_);
  EXPECT_THAT(Prepare(launch), Each(absl::OkStatus()));
  Set("fail=nccl:1:2");
  for (int rank = 0; rank < kRanks; ++rank) Sum(launch, rank, 0);
  for (int rank = 0; rank < kRanks; ++rank) {
    EXPECT_THAT(std::string(Record(launch, rank)->Await().message()),
                HasSubstr("ncclSystemError"));
  }
  Set("no_faults");
  ExpectLaunchWorks(3);
}

TEST_F(NcclCollectives, AnErrorOfJoiningIsNamed_TheNextLaunchJoins) {
  Set("fail=ncclCommInitRankConfig:2:1");
  Launch launch(1, hosts_);
  for (const absl::Status& status : Prepare(launch)) {
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("ncclUnhandledCudaError"));
  }
  Set("no_faults");
  ExpectLaunchWorks(2);
}

TEST_F(NcclCollectives, JoiningEndsWithTheLaunch_OneRankMissing) {
  Launch launch(1, hosts_);
  std::vector<absl::Status> statuses(kRanks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank + 1 < kRanks; ++rank) {
    threads.emplace_back([&, rank] {
      statuses[rank] = endpoints_[rank]->Prepare(queue(rank), launch.Call(0));
    });
  }
  launch.Fail(absl::DataLossError("host 2 (gpu2) was lost"));
  for (std::thread& thread : threads) thread.join();
  for (int rank = 0; rank + 1 < kRanks; ++rank) {
    EXPECT_THAT(std::string(statuses[rank].message()),
                HasSubstr("host 2 (gpu2) was lost"));
  }
  ExpectLaunchWorks(2);
}

TEST_F(NcclCollectives, WithoutAStartThereIsNoCollective) {
  Launch launch(1, hosts_);
  EXPECT_EQ(endpoints_[0]
                ->AllReduce(queue(0), launch.scope(), launch.Call(0),
                            operands_[0]->address(), results_[0]->address(),
                            kCount, *sum_)
                .code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(NcclCollectives, CliquesOfTheDeadAreGivenUp) {
  ExpectLaunchWorks(1);
  std::weak_ptr<Communicator> kept = endpoints_[0];
  endpoints_.clear();
  EXPECT_FALSE(kept.expired());
  provider_->Retain([](const CliqueMember& member) {
    return member.incarnation == Incarnation(2);
  });
  EXPECT_TRUE(kept.expired());
}

// What NCCL is asked for.
TEST(NcclReductions, AreThoseThatGiveWhatTheSpecificationSays) {
  using enum ReductionKind;
  using enum ElementType;
  const auto native = [](ReductionKind kind, ElementType type) {
    return NcclReductionOf(**MakeReduction(kind, type)).has_value();
  };
  for (ElementType type : {kS8, kU8, kS32, kU32, kS64, kU64}) {
    for (ReductionKind kind : {kAdd, kMultiply, kMaximum, kMinimum}) {
      EXPECT_TRUE(native(kind, type));
    }
    for (ReductionKind kind : {kAnd, kOr, kXor}) {
      EXPECT_FALSE(native(kind, type));
    }
  }
  for (ElementType type : {kS16, kU16}) EXPECT_FALSE(native(kAdd, type));
  for (ElementType type : {kF16, kBF16, kF32, kF64}) {
    EXPECT_TRUE(native(kAdd, type));
    EXPECT_TRUE(native(kMultiply, type));
    // NaN.
    EXPECT_FALSE(native(kMaximum, type));
    EXPECT_FALSE(native(kMinimum, type));
  }
  for (ElementType type : {kC64, kC128}) {
    EXPECT_TRUE(native(kAdd, type));
    EXPECT_FALSE(native(kMultiply, type));
    EXPECT_FALSE(native(kMaximum, type));
  }
  for (ReductionKind kind : {kAdd, kMultiply, kMaximum, kMinimum, kAnd, kOr}) {
    EXPECT_TRUE(native(kind, kPred));
  }
  EXPECT_FALSE(native(kXor, kPred));
}

}  // namespace
}  // namespace lockstep::internal
