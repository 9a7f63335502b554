#include "runtime/worker/active_launches.h"

#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/executable/executable.h"

namespace lockstep::internal {
namespace {

const absl::Status kLost = absl::UnavailableError("no report for 3 s");

// A launch of hosts 0 (here) to `hosts` - 1 in their first lives, which notes
// why it was aborted.
struct TestLaunch {
  explicit TestLaunch(int hosts) {
    CompiledProgram::Parts parts;
    parts.name = "step";
    Executable::Parts nothing;
    nothing.allocations.emplace_back();  // the arena
    parts.executable = std::make_shared<Executable>(std::move(nothing));
    parts.local_devices = {GlobalDeviceId(0)};
    Launch::Options options;
    for (int host = 0; host < hosts; ++host) {
      parts.participants.push_back(HostId(host));
      options.members.push_back(
          {GlobalDeviceId(host), HostId(host), Incarnation(host + 1)});
    }
    options.program = std::make_shared<CompiledProgram>(std::move(parts));
    options.on_abort = [cause = cause](const Launch&,
                                       const absl::Status& status) {
      *cause = status;
    };
    launch = std::make_shared<Launch>(std::move(options));
  }

  const std::shared_ptr<absl::Status> cause = std::make_shared<absl::Status>();
  std::shared_ptr<Launch> launch;
};

TEST(ActiveLaunches, WhyALaunchFailedElsewhereIsKnownBeforeItComes) {
  ActiveLaunches active;
  const LaunchKey key = {7, LaunchNumber(3)};
  EXPECT_TRUE(active.FailureOf(key).ok());
  EXPECT_TRUE(active.AbortLaunch(key, kLost));
  EXPECT_EQ(active.FailureOf(key), kLost);
  EXPECT_TRUE(active.FailureOf({7, LaunchNumber(4)}).ok());
}

TEST(ActiveLaunches, ALostHostEndsWhatItTakesPartIn) {
  ActiveLaunches active;
  TestLaunch with(2), without(1);
  active.Add(with.launch);
  active.Add(without.launch);
  active.AbortHost(HostId(1), Incarnation(2), kLost);
  EXPECT_EQ(*with.cause, kLost);
  EXPECT_TRUE(without.cause->ok());
}

// Its members were looked up before the loss was heard of.
TEST(ActiveLaunches, ALaunchThatComesAfterTheLossOfAMemberIsEndedToo) {
  ActiveLaunches active;
  active.AbortHost(HostId(1), Incarnation(2), kLost);
  TestLaunch with(2), without(1);
  active.Add(with.launch);
  active.Add(without.launch);
  EXPECT_EQ(*with.cause, kLost);
  EXPECT_TRUE(without.cause->ok());
}

TEST(ActiveLaunches, AnEarlierLifeThatWasLostDoesNoHarm) {
  ActiveLaunches active;
  active.AbortHost(HostId(1), Incarnation(77), kLost);
  TestLaunch launch(2);
  active.Add(launch.launch);
  EXPECT_TRUE(launch.cause->ok());
}

TEST(ActiveLaunches, WithoutACoordinatorNoLaunchSpansHosts) {
  ActiveLaunches active;
  active.AbortSpanning(kLost);
  TestLaunch together(3), alone(1);
  active.Add(together.launch);
  active.Add(alone.launch);
  EXPECT_EQ(*together.cause, kLost);
  EXPECT_TRUE(alone.cause->ok());
}

}  // namespace
}  // namespace lockstep::internal
