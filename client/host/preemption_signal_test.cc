// Spec M-28, M-15: the signal that says that this host is to be taken away.
#include "client/host/preemption_signal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
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

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using ::testing::KilledBySignal;

std::unique_ptr<PreemptionSignal> Take(int signal,
                                       std::function<bool()> on_signal) {
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
    EXPECT_THAT(
        status.message(),
        AllOf(HasSubstr(absl::StrCat("'", c.text, "'")), HasSubstr(c.why)));
  }
  EXPECT_EQ(ParseSignal(absl::StrCat(SIGRTMIN)).value(), SIGRTMIN);
}

TEST(PreemptionSignalTest, WhatTheSystemRefusesIsAnError) {
  const absl::Status status =
      PreemptionSignal::Take(SIGKILL, [] { return true; }).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("signal 9"));
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const rlimit none = {};
        setrlimit(RLIMIT_NOFILE, &none);
        const absl::Status no_event =
            PreemptionSignal::Take(SIGTERM, [] { return true; }).status();
        std::cerr << no_event;
        raise(SIGTERM);
      },
      KilledBySignal(SIGTERM), "RESOURCE_EXHAUSTED.*signal 15");
}

// Hears of arrivals, one after the other.
class Arrivals {
 public:
  std::function<bool()> on_signal() {
    return [this] {
      absl::MutexLock lock(&mutex_);
      ++count_;
      return true;
    };
  }
  void Await(int count) {
    const auto is_there = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return count_ >= count;
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&is_there));
  }
  int count() const {
    absl::MutexLock lock(&mutex_);
    return count_;
  }

 private:
  mutable absl::Mutex mutex_;
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

TEST(PreemptionSignalTest, ArrivalsBeforeTheStepToSaveAtAreTold) {
  Arrivals told;
  const auto signal = Take(SIGTERM, told.on_signal());
  for (int count = 1; count <= 3; ++count) {
    raise(SIGTERM);
    told.Await(count);
    signal->Reach(false);
  }
}

TEST(PreemptionSignalTest, ArrivalsDuringTheSaveChangeNothing) {
  Arrivals told;
  {
    const auto signal = Take(SIGTERM, told.on_signal());
    raise(SIGTERM);
    told.Await(1);
    signal->Reach(true);
    raise(SIGTERM);
    raise(SIGTERM);
  }
  EXPECT_EQ(told.count(), 1);
}

TEST(PreemptionSignalTest, AfterTheSaveTheNextArrivalEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        Arrivals told;
        const auto signal = Take(SIGTERM, told.on_signal());
        raise(SIGTERM);
        told.Await(1);
        signal->Reach(true);
        signal->Reach(false);
        raise(SIGTERM);
      },
      KilledBySignal(SIGTERM), "");
}

TEST(PreemptionSignalTest, ASaveForSomebodyElsesNoticeChangesNothing) {
  Arrivals told;
  const auto signal = Take(SIGTERM, told.on_signal());
  signal->Reach(true);
  raise(SIGTERM);
  told.Await(1);
  signal->Reach(false);
  raise(SIGTERM);
  told.Await(2);
}

void AwaitDefault(int signal) {
  struct sigaction present = {};
  do {
    sched_yield();
    sigaction(signal, nullptr, &present);
  } while (present.sa_handler != SIG_DFL);
}

TEST(PreemptionSignalTest, WhereNoStepComesTheNextArrivalEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const auto signal = Take(SIGTERM, [] { return false; });
        raise(SIGTERM);
        AwaitDefault(SIGTERM);
        raise(SIGTERM);
      },
      KilledBySignal(SIGTERM), "");
}

TEST(PreemptionSignalTest, WithoutAnArrivalNothingChanges) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        {
          const auto signal = Take(SIGTERM, []() -> bool { _exit(1); });
        }
        raise(SIGTERM);
      },
      KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(
      {
        signal(SIGTERM, SIG_IGN);
        {
          const auto taken = Take(SIGTERM, []() -> bool { _exit(1); });
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
          const auto taken = Take(SIGTERM, []() -> bool { _exit(1); });
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
    Arrivals told;
    const auto taken = Take(SIGUSR2, told.on_signal());
    raise(SIGUSR2);
    told.Await(1);
    EXPECT_EQ(arrivals, 1);
    taken->Reach(true);
    raise(SIGUSR2);
    EXPECT_EQ(arrivals, 2);
    taken->Reach(false);
    raise(SIGUSR2);
    EXPECT_EQ(arrivals, 3);
  }
  raise(SIGUSR2);
  EXPECT_EQ(arrivals, 4);
  signal(SIGUSR2, SIG_DFL);
}

struct sigaction chained = {};

TEST(PreemptionSignalTest, AHandlerThatCallsOursIsCalledOnce) {
  arrivals = 0;
  Arrivals told;
  {
    const auto first = Take(SIGUSR2, told.on_signal());
    struct sigaction theirs = {};
    theirs.sa_flags = SA_SIGINFO;
    theirs.sa_sigaction = [](int signal, siginfo_t* info, void* context) {
      ++arrivals;
      chained.sa_sigaction(signal, info, context);
    };
    sigaction(SIGUSR2, &theirs, &chained);
  }
  {
    // Over theirs, which calls ours of before.
    const auto second = Take(SIGUSR2, told.on_signal());
    raise(SIGUSR2);
    told.Await(1);
  }
  EXPECT_EQ(arrivals, 1);
  EXPECT_EQ(told.count(), 1);
  signal(SIGUSR2, SIG_DFL);
}

TEST(PreemptionSignalTest, ALaterObjectHearsOfLaterArrivalsAlone) {
  Arrivals of_earlier;
  {
    const auto earlier = Take(SIGUSR2, of_earlier.on_signal());
    raise(SIGUSR2);
  }
  EXPECT_EQ(of_earlier.count(), 1);
  Arrivals of_later;
  {
    const auto later = Take(SIGUSR2, of_later.on_signal());
    // It had not come before.
    later->Reach(true);
    raise(SIGUSR2);
  }
  EXPECT_EQ(of_later.count(), 1);
}

}  // namespace
}  // namespace lockstep::internal
