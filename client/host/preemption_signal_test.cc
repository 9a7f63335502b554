// Spec M-28, M-15: the signal that says that this host is to be taken away.
#include "client/host/preemption_signal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <string>

#include "absl/synchronization/notification.h"

namespace lockstep::internal {
namespace {

using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using ::testing::KilledBySignal;

TEST(ParseSignal, TakesNamesAndNumbers) {
  for (const char* text : {"TERM", "SIGTERM", "term", "15"}) {
    const auto signal = ParseSignal(text);
    ASSERT_TRUE(signal.ok()) << signal.status();
    EXPECT_EQ(*signal, SIGTERM);
  }
  EXPECT_EQ(ParseSignal("USR1").value(), SIGUSR1);
  EXPECT_EQ(ParseSignal("none").value(), 0);
  EXPECT_EQ(ParseSignal("0").value(), 0);
}

TEST(ParseSignal, RefusesWhatAProgramCannotTake) {
  for (const char* text : {"KILL", "SIGSTOP", "SEGV", "TRM", "-1", "1000"}) {
    const absl::Status status = ParseSignal(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(status.message(), HasSubstr(text));
  }
}

TEST(PreemptionSignalTest, TheFirstArrivalIsTold) {
  absl::Notification told;
  PreemptionSignal signal(SIGUSR1, [&] { told.Notify(); });
  raise(SIGUSR1);
  told.WaitForNotification();
}

TEST(PreemptionSignalTest, TheSecondArrivalEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        absl::Notification told;
        PreemptionSignal signal(SIGTERM, [&] { told.Notify(); });
        raise(SIGTERM);
        told.WaitForNotification();
        raise(SIGTERM);
      },
      KilledBySignal(SIGTERM), "");
}

TEST(PreemptionSignalTest, WithoutAnArrivalNothingChanges) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        {
          PreemptionSignal signal(SIGTERM, [] { _exit(1); });
        }
        raise(SIGTERM);
      },
      KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(
      {
        signal(SIGTERM, SIG_IGN);
        {
          PreemptionSignal taken(SIGTERM, [] { _exit(1); });
        }
        raise(SIGTERM);
        _exit(7);
      },
      ExitedWithCode(7), "");
}

std::atomic<int> arrivals = 0;

TEST(PreemptionSignalTest, AHandlerOfTheProgramIsCalledToo) {
  signal(SIGUSR2, [](int) { ++arrivals; });
  {
    absl::Notification told;
    PreemptionSignal taken(SIGUSR2, [&] { told.Notify(); });
    raise(SIGUSR2);
    told.WaitForNotification();
    EXPECT_EQ(arrivals, 1);
    raise(SIGUSR2);
    EXPECT_EQ(arrivals, 2);
  }
  raise(SIGUSR2);
  EXPECT_EQ(arrivals, 3);
  // A later object hears of later arrivals alone.
  std::atomic<bool> is_told = false;
  {
    PreemptionSignal taken(SIGUSR2, [&] { is_told = true; });
  }
  EXPECT_FALSE(is_told);
  signal(SIGUSR2, SIG_DFL);
}

}  // namespace
}  // namespace lockstep::internal
