// Every wait ends, on every member, with the first cause; and the clique works
// afterwards.
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/status.h"
#include "tests/conformance/communicator/test_world.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kCount = 5;

absl::Status AllReduce(TestWorld::Device& device, const CollectiveCall& call,
                       int64_t count = kCount) {
  static const Reduction* sum =
      MakeReduction(ReductionKind::kAdd, ElementType::kS32).value().release();
  std::vector<int32_t> operand(count, device.device + 1), result(count);
  RETURN_IF_ERROR(device.communicator->AllReduce(
      call, reinterpret_cast<std::byte*>(operand.data()),
      reinterpret_cast<std::byte*>(result.data()), count, *sum));
  int32_t expected = 0;
  for (const CliqueMember& member : device.communicator->key().members()) {
    expected += member.device.value() + 1;
  }
  EXPECT_THAT(result, Each(expected));
  return absl::OkStatus();
}

absl::Status AllGather(TestWorld::Device& device, const CollectiveCall& call) {
  Bytes operand(4), result(4 * device.communicator->key().size());
  return device.communicator->AllGather(call, operand, absl::MakeSpan(result));
}

void ExpectNextLaunchWorks(TestWorld& world) {
  for (const absl::Status& status : world.Launch([](TestWorld::Device& device) {
         return AllReduce(device, At(device, 0, "all_reduce"));
       })) {
    EXPECT_TRUE(status.ok()) << status;
  }
}

// Returns when those of `devices` that do not share the last one's host are
// all inside a collective.
void AwaitWaits(TestWorld& world, const std::vector<int>& devices) {
  const absl::Time limit = absl::Now() + absl::Seconds(30);
  for (int d : devices) {
    HostId host = world.HostOf(d);
    if (host == world.HostOf(world.device_count() - 1)) continue;
    auto is_waiting = [&] {
      std::vector<CollectiveWait> waits =
          world.cluster().progress(host).Waits();
      return std::any_of(waits.begin(), waits.end(),
                         [d](const CollectiveWait& wait) {
                           return wait.device == GlobalDeviceId(d);
                         });
    };
    while (!is_waiting() && absl::Now() < limit) std::this_thread::yield();
  }
}

// The layouts of four devices over one, two and four hosts.
class Failures : public testing::TestWithParam<std::vector<int>> {};

INSTANTIATE_TEST_SUITE_P(Layouts, Failures,
                         testing::Values(std::vector<int>{0, 0, 0, 0},
                                         std::vector<int>{0, 0, 1, 1},
                                         std::vector<int>{0, 1, 0, 1},
                                         std::vector<int>{0, 1, 2, 3}));

// M-19.
TEST_P(Failures, DifferentCollectives_AllMembersGetBothCalls) {
  TestWorld world(GetParam());
  auto statuses = world.Launch([](TestWorld::Device& device) {
    return device.device == 0 ? AllGather(device, At(device, 3, "all_gather"))
                              : AllReduce(device, At(device, 2, "all_reduce"));
  });
  for (const absl::Status& status : statuses) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    std::string message(status.message());
    EXPECT_THAT(message, HasSubstr("device 0 of "));
    EXPECT_THAT(message, HasSubstr("all_gather #3 of launch 1 (jit_step)"));
    EXPECT_THAT(message, HasSubstr("all_reduce #2 of launch 1 (jit_step)"));
  }
  ExpectNextLaunchWorks(world);
}

// M-19.
TEST_P(Failures, DifferentPrograms_MessageNamesTheLastLaunches) {
  TestWorld world(GetParam());
  auto statuses = world.Launch([](TestWorld::Device& device) {
    CollectiveCall call = At(device, 0, "all_reduce");
    call.recent_programs[0] = device.device == 3 ? 0xb : 0xa;
    call.recent_programs[1] = device.device == 3 ? 0xa : 0xb;
    return AllReduce(device, call);
  });
  for (const absl::Status& status : statuses) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("last launches, newest first"));
  }
  ExpectNextLaunchWorks(world);
}

// M-19.
TEST_P(Failures, DigestsDifferWithinOneProgram_Internal) {
  TestWorld world(GetParam());
  auto statuses = world.Launch([](TestWorld::Device& device) {
    CollectiveCall call = At(device, 0, "all_reduce");
    if (device.device == 2) call.digest = 7;
    return AllReduce(device, call);
  });
  for (const absl::Status& status : statuses) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("0000000000000007"));
  }
  ExpectNextLaunchWorks(world);
}

TEST_P(Failures, SizesDiffer_Internal) {
  TestWorld world(GetParam());
  auto statuses = world.Launch([](TestWorld::Device& device) {
    return AllReduce(device, At(device, 0, "all_reduce"),
                     device.device == 1 ? 4000 : kCount);
  });
  for (const absl::Status& status : statuses) {
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.code(),
                AnyOf(absl::StatusCode::kInternal, absl::StatusCode::kAborted))
        << status;
  }
  ExpectNextLaunchWorks(world);
}

TEST_P(Failures, DeviceFailsBeforeTheCollective_OthersGetItsCause) {
  TestWorld world(GetParam());
  auto statuses = world.Launch([](TestWorld::Device& device) {
    if (device.device == 1) return absl::OutOfRangeError("sensor is broken");
    return AllReduce(device, At(device, 0, "all_reduce"));
  });
  for (int d = 0; d < world.device_count(); ++d) {
    if (world.HostOf(d) == world.HostOf(1)) {
      EXPECT_EQ(statuses[d].code(), absl::StatusCode::kOutOfRange);
    } else {
      EXPECT_THAT(statuses[d].code(), AnyOf(absl::StatusCode::kAborted,
                                            absl::StatusCode::kOutOfRange));
    }
    EXPECT_THAT(std::string(statuses[d].message()),
                HasSubstr("sensor is broken"));
  }
  ExpectNextLaunchWorks(world);
}

TEST_P(Failures, StragglerOfAFailedLaunchGetsTheFirstCause) {
  TestWorld world(GetParam());
  // A failure before all are prepared would keep some from coming here.
  absl::BlockingCounter prepared(4);
  absl::Notification others_are_done;
  std::atomic<int> done = 0;
  auto statuses = world.Launch([&](TestWorld::Device& device) {
    prepared.DecrementCount();
    if (device.device == 3) {
      others_are_done.WaitForNotification();
      return AllReduce(device, At(device, 0, "all_reduce"));
    }
    if (device.device == 0) prepared.Wait();
    absl::Status status = device.device == 0
                              ? absl::CancelledError("the user gave up")
                              : AllReduce(device, At(device, 0, "all_reduce"));
    if (device.device == 0) {
      world.cluster().AbortLaunch(world.HostOf(0), world.current_launch(),
                                  status);
      device.cancellation->Cancel(status);
    }
    if (++done == 3) others_are_done.Notify();
    return status;
  });
  for (const absl::Status& status : statuses) {
    EXPECT_THAT(std::string(status.message()), HasSubstr("the user gave up"));
  }
  ExpectNextLaunchWorks(world);
}

TEST_P(Failures, LeftoversOfAFailedLaunchDoNotReachTheNext) {
  TestWorld world(GetParam());
  for (int round = 0; round < 20; ++round) {
    auto statuses = world.Launch([&](TestWorld::Device& device) {
      for (int number = 0; number < 3; ++number) {
        if (device.device == round % 4 && number == round % 3) {
          return absl::DataLossError(absl::StrCat("round ", round));
        }
        RETURN_IF_ERROR(AllReduce(device, At(device, number, "all_reduce")));
      }
      return absl::OkStatus();
    });
    for (const absl::Status& status : statuses) {
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr(absl::StrCat("round ", round)));
    }
    ExpectNextLaunchWorks(world);
  }
}

// M-19.
TEST_P(Failures, MemberOfAnOlderEpochIsRefused) {
  TestWorld world(GetParam());
  auto statuses = world.Launch([](TestWorld::Device& device) {
    CollectiveCall call = At(device, 0, "all_reduce");
    if (device.device == 0) call.epoch = Epoch(0);
    return AllReduce(device, call);
  });
  EXPECT_EQ(statuses[0].code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(statuses[0].message()), HasSubstr("epoch 0"));
  EXPECT_THAT(std::string(statuses[0].message()), HasSubstr("epoch 1"));
  for (const absl::Status& status : statuses) EXPECT_FALSE(status.ok());
  ExpectNextLaunchWorks(world);
}

// M-19.
TEST_P(Failures, HostMakesMoreCollectivesThanOthers_BothLaunchesFail) {
  TestWorld world(GetParam());
  // Device 0 believes that launch 1 has a second collective; the others are
  // in launch 2 already.
  auto statuses = world.Launch([](TestWorld::Device& device) {
    RETURN_IF_ERROR(AllReduce(device, At(device, 0, "all_reduce")));
    CollectiveCall next = At(device, 1, "all_reduce");
    if (device.device != 0) {
      next.launch = LaunchNumber(2);
      next.number = 0;
      next.description = "all_reduce #0 of launch 2 (jit_step)";
    }
    return AllReduce(device, next);
  });
  for (const absl::Status& status : statuses) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("all_reduce #1 of launch 1"),
                      HasSubstr("all_reduce #0 of launch 2")));
  }
}

TEST_P(Failures, ProgressNamesWhoWaitsForWhom) {
  TestWorld world(GetParam());
  absl::Notification seen;
  auto statuses = world.Launch([&](TestWorld::Device& device) {
    if (device.device != 3) {
      return AllReduce(device, At(device, 7, "all_reduce"));
    }
    const auto names_device_3 = [&](HostId host, const CollectiveWait& wait) {
      if (wait.description != "all_reduce #7 of launch 1 (jit_step)" ||
          wait.number != 7 || wait.missing.empty()) {
        return false;
      }
      // Of its own devices a host knows which are missing.
      return std::all_of(wait.missing.begin(), wait.missing.end(),
                         [&](const CliqueMember& member) {
                           return host == world.HostOf(3)
                                      ? member.device == GlobalDeviceId(3)
                                      : member.host == world.HostOf(3);
                         });
    };
    // Not every host waits for that of device 3 itself: who passes something on
    // waits first.
    absl::Time limit = absl::Now() + absl::Seconds(30);
    while (absl::Now() < limit) {
      for (int other = 0; other < 3; ++other) {
        const HostId host = world.HostOf(other);
        for (const CollectiveWait& wait :
             world.cluster().progress(host).Waits()) {
          if (names_device_3(host, wait)) {
            return AllReduce(device, At(device, 7, "all_reduce"));
          }
        }
      }
      std::this_thread::yield();
    }
    return absl::DeadlineExceededError("progress never named device 3");
  });
  EXPECT_THAT(statuses, Each(absl::OkStatus()));
  EXPECT_THAT(world.cluster().progress(world.HostOf(0)).Waits(), ElementsAre());
}

// M-24.
TEST_P(Failures, HostDies_OthersAreToldItsName_SurvivorsGoOn) {
  TestWorld world(GetParam());
  if (world.HostOf(3) == world.HostOf(0)) GTEST_SKIP() << "one host";
  if (!world.cluster().can_kill()) GTEST_SKIP() << "hosts share a process";
  ExpectNextLaunchWorks(world);
  auto statuses = world.Launch([&](TestWorld::Device& device) {
    if (world.HostOf(device.device) != world.HostOf(3)) {
      return AllReduce(device, At(device, 0, "all_reduce"));
    }
    if (device.device == 3) {
      AwaitWaits(world, {0, 1, 2});
      world.cluster().Kill(world.HostOf(3));
    }
    return absl::OkStatus();
  });
  std::vector<int> survivors;
  for (int d = 0; d < world.device_count(); ++d) {
    if (world.HostOf(d) == world.HostOf(3)) continue;
    survivors.push_back(d);
    EXPECT_EQ(statuses[d].code(), absl::StatusCode::kUnavailable)
        << statuses[d];
    EXPECT_THAT(
        std::string(statuses[d].message()),
        HasSubstr(absl::StrCat("host ", world.HostOf(3).value(), " (test")));
  }
  // Host 0 may have heard of it from another survivor before it noticed itself.
  absl::Status refused;
  const absl::Time deadline = absl::Now() + absl::Seconds(30);
  while (refused.ok() && absl::Now() < deadline) {
    refused = world.cluster()
                  .provider(world.HostOf(0))
                  .Acquire(world.Key({0, 1, 2, 3}), GlobalDeviceId(0))
                  .status();
  }
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  statuses = world.Launch({survivors}, [](TestWorld::Device& device) {
    return AllReduce(device, At(device, 0, "all_reduce"));
  });
  EXPECT_THAT(statuses, Each(absl::OkStatus()));
}

// A host may begin a launch, and take the clique anew, while another one still
// ends the launch before: no message may be lost with the clique that goes.
TEST_P(Failures, EveryLaunchTakesTheCliqueAnew_HostsNotInStep) {
  constexpr int kLaunches = 200;
  TestWorld world(GetParam());
  std::vector<absl::Status> statuses =
      world.Launch([&](TestWorld::Device& device) -> absl::Status {
        const CliqueKey key = device.communicator->key();
        const HostId host = world.HostOf(device.device);
        // What the launch of this body holds would keep the clique alive.
        CollectiveCall call = device.call;
        device.release();
        for (int launch = 0; launch < kLaunches; ++launch) {
          ASSIGN_OR_RETURN(auto communicator,
                           world.cluster().provider(host).Acquire(
                               key, GlobalDeviceId(device.device)));
          TestWorld::Device next = device;
          WaitingCommunicator waiting = device.communicator->Of(*communicator);
          next.communicator = &waiting;
          next.call = call;
          next.call.launch = LaunchNumber(1 + launch);
          RETURN_IF_ERROR(
              communicator->Prepare(world.QueueOf(device.device), next.call));
          RETURN_IF_ERROR(AllReduce(next, At(next, 0, "all_reduce")));
        }
        return absl::OkStatus();
      });
  EXPECT_THAT(statuses, Each(absl::OkStatus()));
}

TEST(Acquire, GivesTheSameEndpointAgainAndNamesWhatIsWrong) {
  TestWorld world({0, 1});
  CliqueProvider& provider = world.cluster().provider(HostId(0));
  auto first = provider.Acquire(world.Key({0, 1}), GlobalDeviceId(0));
  auto again = provider.Acquire(world.Key({0, 1}), GlobalDeviceId(0));
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ(*first, *again);
  EXPECT_EQ((*first)->rank(), 0);
  auto stranger = provider.Acquire(world.Key({0, 1}), GlobalDeviceId(9));
  EXPECT_EQ(stranger.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(stranger.status().message()), HasSubstr("device 9"));
}

}  // namespace
}  // namespace lockstep::internal
