// Collectives on queues of devices: what a call leaves to the queue, and who
// hears of it.
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/status.h"
#include "tests/conformance/communicator/test_world.h"

namespace lockstep::internal {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr int64_t kCount = 300;

// The ranks of a clique on one thread, each on the collective queue of its
// device, which no platform runs inline.
class QueuedRanks {
 public:
  explicit QueuedRanks(TestWorld& world) : world_(world) {
    std::vector<int> devices(world.device_count());
    for (size_t i = 0; i < devices.size(); ++i)
      devices[i] = static_cast<int>(i);
    const CliqueKey key = world.Key(devices);
    for (int device : devices) {
      endpoints_.push_back(*world.cluster()
                                .provider(world.HostOf(device))
                                .Acquire(key, GlobalDeviceId(device)));
      LocalDevice& local = world.local_device(device);
      operands_.push_back(*local.Allocate(kCount * sizeof(int32_t)));
      results_.push_back(*local.Allocate(kCount * sizeof(int32_t)));
    }
    std::vector<std::thread> threads;
    for (int device : devices) {
      threads.emplace_back([this, device] {
        EXPECT_EQ(endpoints_[device]->Prepare(queue(device), Call(0)),
                  absl::OkStatus());
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  DeviceQueue& queue(int device) {
    return world_.local_device(device).collective_queue();
  }
  CollectiveCall Call(int64_t number, CollectiveObserver* observer = nullptr) {
    CollectiveCall call;
    call.epoch = Epoch(1);
    call.launch_sequence = 42;
    call.launch = LaunchNumber(1);
    call.number = number;
    call.description = "all_reduce of launch 1 (jit_step)";
    call.cancellation = &token_;
    call.observer = observer;
    return call;
  }
  void Put(int device, const std::vector<int32_t>& values) {
    queue(device).CopyFromHost(
        scope_, operands_[device]->address(),
        reinterpret_cast<const std::byte*>(values.data()));
  }
  absl::Status AllReduce(int device, const CollectiveCall& call) {
    return endpoints_[device]->AllReduce(
        queue(device), scope_, call, operands_[device]->address(),
        results_[device]->address(), kCount, *sum_);
  }
  // The result becomes the operand.
  void Return(int device) {
    queue(device).Copy(scope_, operands_[device]->address(),
                       results_[device]->address());
  }
  absl::StatusOr<std::vector<int32_t>> Result(int device) {
    std::vector<int32_t> values(kCount);
    queue(device).CopyToHost(scope_,
                             reinterpret_cast<std::byte*>(values.data()),
                             results_[device]->address());
    RETURN_IF_ERROR(queue(device).Record(scope_)->Await());
    return values;
  }
  void Cancel(const absl::Status& cause) {
    for (int host = 0; host <= world_.HostOf(world_.device_count() - 1).value();
         ++host) {
      world_.cluster().AbortLaunch(HostId(host),
                                   {Epoch(1), 42, LaunchNumber(1)}, cause);
    }
    token_.Cancel(cause);
  }
  WorkScope& scope() { return scope_; }

 private:
  TestWorld& world_;
  const std::unique_ptr<Reduction> sum_ =
      MakeReduction(ReductionKind::kAdd, ElementType::kS32).value();
  CancellationToken token_;
  FirstFailure scope_;
  std::vector<std::shared_ptr<Communicator>> endpoints_;
  std::vector<std::shared_ptr<DeviceMemory>> operands_;
  std::vector<std::shared_ptr<DeviceMemory>> results_;
};

TEST(Queues, OneThreadQueuesAllRanks_ResultsFollowOnTheirQueues) {
  for (const std::vector<int>& layout : HostLayouts(4)) {
    TestWorld world(layout);
    QueuedRanks ranks(world);
    std::vector<std::vector<int32_t>> values;
    for (int device = 0; device < 4; ++device) {
      values.emplace_back(kCount, device + 1);
      ranks.Put(device, values.back());
      for (int number = 0; number < 3; ++number) {
        EXPECT_EQ(ranks.AllReduce(device, ranks.Call(number)),
                  absl::OkStatus());
        if (number < 2) ranks.Return(device);
      }
    }
    for (int device = 0; device < 4; ++device) {
      const auto result = ranks.Result(device);
      ASSERT_EQ(result.status(), absl::OkStatus());
      EXPECT_THAT(*result, Each(10 * 4 * 4));
    }
  }
}

TEST(Queues, ARankThatNobodyJoinsIsOverWhenItsLaunchIsCancelled) {
  for (const std::vector<int>& layout :
       {std::vector<int>{0, 0}, std::vector<int>{0, 1}}) {
    TestWorld world(layout);
    QueuedRanks ranks(world);
    const std::vector<int32_t> values(kCount, 1);
    ranks.Put(0, values);
    EXPECT_EQ(ranks.AllReduce(0, ranks.Call(0)), absl::OkStatus());
    const auto done = ranks.queue(0).Record(ranks.scope());
    EXPECT_FALSE(done->is_ready());
    ranks.Cancel(absl::DataLossError("bus error"));
    EXPECT_EQ(done->Await().message(), "bus error");
    EXPECT_EQ(ranks.scope().status().message(), "bus error");
  }
}

class NotingObserver : public CollectiveObserver {
 public:
  absl::Status OnEnter(const CliqueKey& clique,
                       const CollectiveCall& call) override {
    notes.push_back("enter " + std::to_string(call.number) + " of " +
                    std::to_string(clique.size()));
    return refusal;
  }
  void OnLeave(const CollectiveCall& call,
               const absl::Status& status) override {
    notes.push_back((status.ok() ? "leave " : "fail ") +
                    std::to_string(call.number));
  }

  std::vector<std::string> notes;
  absl::Status refusal;
};

TEST(Queues, TheObserverHearsWhenTheQueueComesToACollective) {
  TestWorld world({0, 0});
  QueuedRanks ranks(world);
  const std::vector<int32_t> values(kCount, 1);
  NotingObserver observer;
  for (int device = 0; device < 2; ++device) {
    ranks.Put(device, values);
    for (int number = 0; number < 2; ++number) {
      EXPECT_EQ(
          ranks.AllReduce(
              device, ranks.Call(number, device == 0 ? &observer : nullptr)),
          absl::OkStatus());
    }
  }
  ASSERT_EQ(ranks.Result(0).status(), absl::OkStatus());
  ASSERT_EQ(ranks.Result(1).status(), absl::OkStatus());
  EXPECT_THAT(observer.notes, ElementsAre("enter 0 of 2", "leave 0",
                                          "enter 1 of 2", "leave 1"));
}

TEST(Queues, AnErrorOfTheObserverIsThatOfTheCollective) {
  TestWorld world({0, 0});
  QueuedRanks ranks(world);
  const std::vector<int32_t> values(kCount, 1);
  NotingObserver observer;
  observer.refusal = absl::FailedPreconditionError("other branch");
  ranks.Put(0, values);
  EXPECT_EQ(ranks.AllReduce(0, ranks.Call(0, &observer)), absl::OkStatus());
  EXPECT_EQ(ranks.Result(0).status().message(), "other branch");
  EXPECT_THAT(observer.notes, ElementsAre("enter 0 of 2", "fail 0"));
}

}  // namespace
}  // namespace lockstep::internal
