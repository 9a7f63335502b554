#include "runtime/base/cancellation.h"

#include <thread>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(CancellationToken, TheFirstCauseWins) {
  CancellationToken token;
  EXPECT_TRUE(token.status().ok());
  EXPECT_TRUE(token.Cancel(absl::AbortedError("first")));
  EXPECT_FALSE(token.Cancel(absl::AbortedError("second")));
  EXPECT_EQ(token.status(), absl::AbortedError("first"));
}

TEST(CancellationToken, CallbacksRunOnceAndAlsoWhenLate) {
  CancellationToken token;
  int before = 0, after = 0, dropped = 0;
  auto registration = token.OnCancel([&] { ++before; });
  {
    auto gone = token.OnCancel([&] { ++dropped; });
  }
  token.Cancel(absl::AbortedError("x"));
  token.Cancel(absl::AbortedError("y"));
  auto late = token.OnCancel([&] { ++after; });
  EXPECT_EQ(before, 1);
  EXPECT_EQ(dropped, 0);
  EXPECT_EQ(after, 1);
}

TEST(CancellationToken, WakesAWaitingThread) {
  CancellationToken token;
  absl::Notification woken;
  std::thread waiter([&] {
    auto registration = token.OnCancel([&] { woken.Notify(); });
    woken.WaitForNotification();
  });
  token.Cancel(absl::UnavailableError("gone"));
  waiter.join();
}

}  // namespace
}  // namespace lockstep::internal
