#include "runtime/collectives/hierarchical/launch_calls.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cluster/shared_cause.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const HostRef kSelf{HostId(0), "a", Incarnation(1)};
const HostRef kB{HostId(1), "b", Incarnation(2)};
const HostRef kC{HostId(2), "c", Incarnation(3)};

LaunchId Launch(int64_t number) { return {Epoch(1), 7, LaunchNumber(number)}; }
CallDescription Train() { return {11, "train(0: float32[2])"}; }
CallDescription Eval() { return {12, "eval(0: float32[3])"}; }

TEST(LaunchCallsTest, EqualCallsGoOn) {
  LaunchCalls calls;
  EXPECT_EQ(calls.AddOther(Launch(1), kB, Train()), absl::OkStatus());
  EXPECT_EQ(calls.AddOwn(Launch(1), kSelf, Train()), absl::OkStatus());
  EXPECT_EQ(calls.AddOther(Launch(1), kC, Train()), absl::OkStatus());
  EXPECT_EQ(calls.Own(Launch(1)), Train());
}

TEST(LaunchCallsTest, WhoeverComesSecondLearnsOfTheDifference) {
  for (bool own_first : {true, false}) {
    LaunchCalls calls;
    absl::Status status;
    if (own_first) {
      EXPECT_EQ(calls.AddOwn(Launch(3), kSelf, Train()), absl::OkStatus());
      status = calls.AddOther(Launch(3), kB, Eval());
    } else {
      EXPECT_EQ(calls.AddOther(Launch(3), kB, Eval()), absl::OkStatus());
      status = calls.AddOwn(Launch(3), kSelf, Train());
    }
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    EXPECT_TRUE(IsSharedCause(status));
    EXPECT_THAT(
        status.message(),
        AllOf(HasSubstr("host 0 (a) makes call 3, train(0: float32[2])"),
              HasSubstr("host 1 (b) makes call 3, eval(0: float32[3])")));
  }
}

TEST(LaunchCallsTest, ALaterEqualHostDoesNotHideOneThatDiffers) {
  LaunchCalls calls;
  EXPECT_EQ(calls.AddOwn(Launch(1), kSelf, Train()), absl::OkStatus());
  EXPECT_EQ(calls.AddOther(Launch(1), kC, Train()), absl::OkStatus());
  EXPECT_FALSE(calls.AddOther(Launch(1), kB, Eval()).ok());
  EXPECT_FALSE(calls.AddOther(Launch(1), kC, Train()).ok());
}

TEST(LaunchCallsTest, AMessageBeforeTheOwnCallIsNotHiddenByLaterOnes) {
  LaunchCalls calls;
  EXPECT_EQ(calls.AddOther(Launch(1), kB, Eval()), absl::OkStatus());
  EXPECT_EQ(calls.AddOther(Launch(1), kC, Train()), absl::OkStatus());
  EXPECT_EQ(calls.AddOther(Launch(1), kC, Train()), absl::OkStatus());
  EXPECT_FALSE(calls.AddOwn(Launch(1), kSelf, Train()).ok());
}

TEST(LaunchCallsTest, MessagesWithoutACallAreNotCompared) {
  LaunchCalls calls;
  EXPECT_EQ(calls.AddOwn(Launch(1), kSelf, Train()), absl::OkStatus());
  EXPECT_EQ(calls.AddOther(Launch(1), kB, {}), absl::OkStatus());
}

TEST(LaunchCallsTest, OldLaunchesAreForgotten) {
  LaunchCalls calls(/*capacity=*/2);
  for (int64_t n : {1, 2, 3}) {
    EXPECT_EQ(calls.AddOwn(Launch(n), kSelf, Train()), absl::OkStatus());
  }
  EXPECT_EQ(calls.Own(Launch(1)), CallDescription());
  EXPECT_EQ(calls.Own(Launch(3)), Train());
}

}  // namespace
}  // namespace lockstep::internal
