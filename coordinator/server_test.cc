// When a coordinator that nobody else ends does so by itself.
#include "coordinator/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace lockstep::internal {
namespace {

CoordinatorServer::Options EmptyAtOnce() {
  CoordinatorServer::Options options;
  options.tick = absl::Milliseconds(1);
  options.ends_when_empty_for = absl::ZeroDuration();
  return options;
}

void RunToTheEnd(CoordinatorServer::Options options) {
  const auto server = CoordinatorServer::Start(std::move(options));
  ASSERT_TRUE(server.ok()) << server.status();
  (*server)->AwaitShutdown();
}

TEST(CoordinatorServerTest, EmptyOneEndsOnceItsFirstHostIsNotAwaited) {
  std::atomic<int> asked = 0;
  CoordinatorServer::Options options = EmptyAtOnce();
  options.awaits_first_host = [&] { return ++asked < 20; };
  RunToTheEnd(std::move(options));
  EXPECT_GE(asked, 20);
}

TEST(CoordinatorServerTest, FirstHostIsAwaitedUntilTheJoinDeadline) {
  CoordinatorServer::Options options = EmptyAtOnce();
  options.coordinator.join_deadline = absl::Milliseconds(50);
  options.awaits_first_host = [] { return true; };
  const absl::Time start = absl::Now();
  RunToTheEnd(std::move(options));
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(50));
}

}  // namespace
}  // namespace lockstep::internal
