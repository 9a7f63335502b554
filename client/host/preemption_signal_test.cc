// Spec M-28, M-15: the signal that says that this host is to be taken away.
#include "client/host/preemption_signal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using ::testing::KilledBySignal;

std::unique_ptr<PreemptionSignal> Take(int signal,
                                       std::function<void()> on_signal) {
  auto taken = PreemptionSignal::Take(signal, std::move(on_signal));
  EXPECT_TRUE(taken.ok()) << taken.status();
  return *std::move(taken);
}

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
  const struct {
    const char* text;
    const char* why;
  } cases[] = {
      {"KILL", "no program can take"}, {"SIGSTOP", "no program can take"},
      {"9", "no program can take"},    {"SEGV", "faults of the program"},
      {"ABRT", "faults of the"},       {"32", "the C library"},
      {"33", "the C library"},         {"TRM", "no such signal"},
      {"-1", "no such signal"},        {"1000", "no such signal"},
  };
  for (const auto& c : cases) {
    const absl::Status status = ParseSignal(c.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(status.message(),
                AllOf(HasSubstr(absl::StrCat("'", c.text, "'")),
                      HasSubstr(c.why)));
  }
  EXPECT_EQ(ParseSignal(absl::StrCat(SIGRTMIN)).value(), SIGRTMIN);
}

TEST(PreemptionSignalTest, WhatTheSystemRefusesIsAnError) {
  const absl::Status status = PreemptionSignal::Take(SIGKILL, [] {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("signal 9"));
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const rlimit none = {};
        setrlimit(RLIMIT_NOFILE, &none);
        const absl::Status no_event =
            PreemptionSignal::Take(SIGTERM, [] {}).status();
        std::cerr << no_event;
        raise(SIGTERM);
      },
      KilledBySignal(SIGTERM), "RESOURCE_EXHAUSTED.*signal 15");
}

TEST(PreemptionSignalTest, TheFirstArrivalIsTold) {
  absl::Notification told;
  const auto signal = Take(SIGUSR1, [&] { told.Notify(); });
  raise(SIGUSR1);
  told.WaitForNotification();
}

TEST(PreemptionSignalTest, TheSecondArrivalEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        absl::Notification told;
        const auto signal = Take(SIGTERM, [&] { told.Notify(); });
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
          const auto signal = Take(SIGTERM, [] { _exit(1); });
        }
        raise(SIGTERM);
      },
      KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(
      {
        signal(SIGTERM, SIG_IGN);
        {
          const auto taken = Take(SIGTERM, [] { _exit(1); });
        }
        raise(SIGTERM);
        _exit(7);
      },
      ExitedWithCode(7), "");
}

TEST(PreemptionSignalTest, ChildrenDoNotTellTheirParent) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        {
          const auto taken = Take(SIGTERM, [] { _exit(1); });
          const pid_t child = fork();
          if (child == 0) {
            raise(SIGTERM);
            _exit(2);
          }
          int status = 0;
          waitpid(child, &status, 0);
          if (!WIFSIGNALED(status)) _exit(3);
        }
        // Which is what hears of arrivals, until here.
        _exit(7);
      },
      ExitedWithCode(7), "");
}

std::atomic<int> arrivals = 0;

TEST(PreemptionSignalTest, AHandlerOfTheProgramIsCalledToo) {
  signal(SIGUSR2, [](int) { ++arrivals; });
  {
    absl::Notification told;
    const auto taken = Take(SIGUSR2, [&] { told.Notify(); });
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
    const auto taken = Take(SIGUSR2, [&] { is_told = true; });
  }
  EXPECT_FALSE(is_told);
  signal(SIGUSR2, SIG_DFL);
}

}  // namespace
}  // namespace lockstep::internal
