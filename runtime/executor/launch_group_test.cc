#include "runtime/executor/launch_group.h"

#include <atomic>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cluster/shared_cause.h"

namespace lockstep::internal {
namespace {

// Runs `f(device)` on a thread per device.
template <typename F>
void OnDevices(int count, F f) {
  std::vector<std::thread> threads;
  for (int device = 0; device < count; ++device) {
    threads.emplace_back([&f, device] { f(device); });
  }
  for (std::thread& thread : threads) thread.join();
}

absl::Status FirstCause(LaunchGroup& group, const absl::Status& cause) {
  group.Fail(cause);
  return group.status();
}

TEST(LaunchGroupTest, NobodyGoesOnBeforeAllArePrepared) {
  for (int count : {1, 2, 3, 8}) {
    LaunchGroup group({count, nullptr, absl::ZeroDuration()});
    std::atomic<int> prepared{0};
    OnDevices(count, [&](int) {
      ++prepared;
      EXPECT_EQ(group.AwaitAllPrepared(), absl::OkStatus());
      EXPECT_EQ(prepared, count);
    });
  }
}

TEST(LaunchGroupTest, FailureOfOneDeviceEndsAllWithTheFirstCause) {
  std::atomic<int> reports{0};
  LaunchGroup group({4,
                     [&](const absl::Status& cause) {
                       EXPECT_EQ(cause.message(), "no memory");
                       ++reports;
                     },
                     absl::ZeroDuration()});
  OnDevices(4, [&](int device) {
    const absl::Status status =
        device == 2
            ? FirstCause(group, absl::ResourceExhaustedError("no memory"))
            : group.AwaitAllPrepared();
    EXPECT_EQ(status.message(), "no memory");
  });
  EXPECT_EQ(FirstCause(group, absl::InternalError("later")).message(),
            "no memory");
  EXPECT_EQ(reports, 1);
}

TEST(LaunchGroupTest, ReportComesBeforeTheOthersWake) {
  std::atomic<bool> is_reported{false};
  LaunchGroup group({2, [&](const absl::Status&) { is_reported = true; },
                     absl::ZeroDuration()});
  OnDevices(2, [&](int device) {
    if (device == 0) {
      EXPECT_FALSE(FirstCause(group, absl::InternalError("bad")).ok());
    } else {
      EXPECT_FALSE(group.AwaitAllPrepared().ok());
      EXPECT_TRUE(is_reported);
    }
  });
}

TEST(LaunchGroupTest, AReportThatComesBackAtOnceDoesNotReplaceItsCause) {
  LaunchGroup* other = nullptr;
  LaunchGroup group({2,
                     [&](const absl::Status& cause) {
                       other->Abort(absl::AbortedError(
                           absl::StrCat("ended by host 1: ", cause.message())));
                     },
                     absl::ZeroDuration()});
  other = &group;
  EXPECT_EQ(FirstCause(group, absl::InternalError("no such row")),
            absl::InternalError("no such row"));
  EXPECT_EQ(FirstCause(group, absl::AbortedError("of device 1")),
            absl::InternalError("no such row"));
}

TEST(LaunchGroupTest, ABetterCauseThanSilenceReplacesIt) {
  LaunchGroup* other = nullptr;
  LaunchGroup group({1,
                     [&](const absl::Status&) {
                       other->Abort(absl::AbortedError("host 1 exited"));
                     },
                     absl::ZeroDuration()});
  other = &group;
  EXPECT_EQ(FirstCause(group, absl::UnavailableError("nothing comes")),
            absl::AbortedError("host 1 exited"));
}

TEST(LaunchGroupTest, AbortFromOutsideIsNotReportedAndWins) {
  bool is_reported = false;
  LaunchGroup group({2, [&](const absl::Status&) { is_reported = true; },
                     absl::ZeroDuration()});
  group.Abort(absl::AbortedError("host 1 (b) died"));
  EXPECT_EQ(group.AwaitAllPrepared().message(), "host 1 (b) died");
  EXPECT_EQ(FirstCause(group, absl::UnavailableError("no route")).message(),
            "host 1 (b) died");
  EXPECT_FALSE(is_reported);
}

TEST(LaunchGroupTest, DeviceThatLostAPeerWaitsForWhoeverKnowsWhy) {
  bool is_reported = false;
  LaunchGroup group({1, [&](const absl::Status&) { is_reported = true; },
                     absl::InfiniteDuration()});
  std::thread coordinator(
      [&] { group.Abort(absl::AbortedError("host 1 (b) died")); });
  EXPECT_EQ(
      FirstCause(group, absl::UnavailableError("connection reset")).message(),
      "host 1 (b) died");
  coordinator.join();
  EXPECT_FALSE(is_reported);
}

TEST(LaunchGroupTest, DeviceThatLostAPeerFailsItselfAfterTheGrace) {
  LaunchGroup group({1, nullptr, absl::Milliseconds(1)});
  EXPECT_EQ(
      FirstCause(group, absl::UnavailableError("connection reset")).message(),
      "connection reset");
}

// Reported before it waits: nobody else may have seen it.
TEST(LaunchGroupTest, ASuspicionIsReportedAndWaitsForTheVerdict) {
  absl::Notification is_reported;
  LaunchGroup group({1, [&](const absl::Status&) { is_reported.Notify(); },
                     absl::InfiniteDuration()});
  std::thread coordinator([&] {
    is_reported.WaitForNotification();
    group.Abort(absl::AbortedError("host 1 (b) failed"));
  });
  EXPECT_EQ(FirstCause(group, AsSuspicion(absl::FailedPreconditionError(
                                  "host 2 (c) is past it")))
                .message(),
            "host 1 (b) failed");
  coordinator.join();
}

TEST(LaunchGroupTest, ASuspicionStandsWhereNoVerdictComes) {
  LaunchGroup group({1, nullptr, absl::Milliseconds(1)});
  EXPECT_EQ(FirstCause(group, AsSuspicion(absl::FailedPreconditionError(
                                  "host 2 (c) is past it")))
                .message(),
            "host 2 (c) is past it");
}

}  // namespace
}  // namespace lockstep::internal
