// Spec M-28, as far as one host knows.
#include "runtime/worker/preemption_point.h"

#include <future>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// "true", "false", or the name of the error's code.
std::string Text(const absl::StatusOr<bool>& reached) {
  if (!reached.ok()) return absl::StatusCodeToString(reached.status().code());
  return *reached ? "true" : "false";
}

TEST(PreemptionPoint, WithoutANoticeNoStepIsASyncStep) {
  PreemptionPoint point;
  EXPECT_FALSE(point.HasNotice());
  for (int64_t step : {0, 1, 2, 10})
    EXPECT_EQ(Text(point.Reach(step)), "false");
}

TEST(PreemptionPoint, TheSyncStepAloneIsOne) {
  PreemptionPoint point;
  EXPECT_EQ(Text(point.Reach(5)), "false");
  EXPECT_EQ(point.AnswerFor(1), 5);
  point.Conclude({1, 8});
  EXPECT_TRUE(point.HasNotice());
  EXPECT_EQ(Text(point.Reach(6)), "false");
  EXPECT_EQ(Text(point.Reach(7)), "false");
  EXPECT_EQ(Text(point.Reach(8)), "true");
  EXPECT_FALSE(point.HasNotice());
  EXPECT_EQ(Text(point.Reach(9)), "false");
}

TEST(PreemptionPoint, AProgramThatHasAskedAboutNoStepSaysSo) {
  PreemptionPoint point;
  EXPECT_EQ(point.AnswerFor(1), kNoStep);
  point.Conclude({1, 0});
  EXPECT_EQ(Text(point.Reach(0)), "true");
}

TEST(PreemptionPoint, AProgramThatGoesOnFromACheckpointSavesAtItsFirstStep) {
  PreemptionPoint point;
  EXPECT_EQ(point.AnswerFor(1), kNoStep);
  point.Conclude({1, kFirstStep});
  EXPECT_TRUE(point.HasNotice());
  EXPECT_EQ(Text(point.Reach(100)), "true");
  EXPECT_FALSE(point.HasNotice());
  EXPECT_EQ(Text(point.Reach(101)), "false");
  // Where the others have taken theirs before this life began.
  PreemptionPoint later;
  later.Conclude({1, kFirstStep});
  EXPECT_EQ(Text(later.Reach(100)), "false");
}

TEST(PreemptionPoint, StepsMustGrow) {
  PreemptionPoint point;
  EXPECT_EQ(Text(point.Reach(-1)), "INVALID_ARGUMENT");
  EXPECT_EQ(Text(point.Reach(7)), "false");
  for (int64_t step : {7, 6, -3}) {
    const auto reached = point.Reach(step);
    EXPECT_EQ(Text(reached), "INVALID_ARGUMENT");
    EXPECT_THAT(reached.status().message(),
                AllOf(HasSubstr("step " + std::to_string(step)),
                      HasSubstr("after step 7")));
  }
  EXPECT_EQ(point.AnswerFor(1), 7);
  point.Conclude({1, 8});
  EXPECT_EQ(Text(point.Reach(7)), "INVALID_ARGUMENT");
  EXPECT_EQ(Text(point.Reach(8)), "true");
}

TEST(PreemptionPoint, AProgramThatLeavesOutTheSyncStepDoesNotSave) {
  PreemptionPoint point;
  EXPECT_EQ(Text(point.Reach(5)), "false");
  EXPECT_EQ(point.AnswerFor(1), 5);
  point.Conclude({1, 8});
  EXPECT_EQ(Text(point.Reach(9)), "false");
  EXPECT_FALSE(point.HasNotice());
}

TEST(PreemptionPoint, FromTheAnswerToTheOutcomeTheNextStepWaits) {
  PreemptionPoint point;
  EXPECT_EQ(Text(point.Reach(5)), "false");
  EXPECT_EQ(point.AnswerFor(1), 5);
  auto reached =
      std::async(std::launch::async, [&] { return Text(point.Reach(6)); });
  EXPECT_EQ(reached.wait_for(std::chrono::milliseconds(20)),
            std::future_status::timeout);
  point.Conclude({1, 6});
  EXPECT_EQ(reached.get(), "true");
}

TEST(PreemptionPoint, WhyAnAgreementFailedComesOnce) {
  const absl::Status why = absl::DeadlineExceededError("missing: host 1");
  PreemptionPoint point;
  point.AnswerFor(1);
  auto reached = std::async(std::launch::async, [&] { return point.Reach(0); });
  // Whether it waits by now or not.
  point.Conclude({1, why});
  EXPECT_EQ(reached.get().status(), why);
  EXPECT_EQ(Text(point.Reach(1)), "false");
  point.AnswerFor(2);
  point.Conclude({2, why});
  EXPECT_FALSE(point.HasNotice());
  EXPECT_EQ(point.Reach(2).status(), why);
  EXPECT_EQ(Text(point.Reach(3)), "false");
  EXPECT_EQ(point.AnswerFor(3), 3);
  point.Conclude({3, 4});
  EXPECT_EQ(Text(point.Reach(4)), "true");
}

TEST(PreemptionPoint, AnAgreementThatSucceedsMakesUpForEarlierOnes) {
  PreemptionPoint point;
  EXPECT_EQ(Text(point.Reach(6)), "false");
  point.AnswerFor(1);
  point.Conclude({1, absl::DeadlineExceededError("missing: host 1")});
  point.AnswerFor(2);
  point.Conclude({2, 8});
  EXPECT_EQ(Text(point.Reach(7)), "false");
  EXPECT_EQ(Text(point.Reach(8)), "true");
  EXPECT_EQ(Text(point.Reach(9)), "false");
}

// Another host has passed the first, this one has not.
TEST(PreemptionPoint, TwoSyncStepsMayBeAhead) {
  PreemptionPoint point;
  EXPECT_EQ(Text(point.Reach(5)), "false");
  point.AnswerFor(1);
  point.Conclude({1, 7});
  point.AnswerFor(2);
  point.Conclude({2, 9});
  EXPECT_EQ(Text(point.Reach(6)), "false");
  EXPECT_EQ(Text(point.Reach(7)), "true");
  EXPECT_TRUE(point.HasNotice());
  EXPECT_EQ(Text(point.Reach(8)), "false");
  EXPECT_EQ(Text(point.Reach(9)), "true");
  EXPECT_FALSE(point.HasNotice());
}

TEST(PreemptionPoint, ALifeThatBeginsHearsOfTheStepOfTheOthers) {
  PreemptionPoint point;
  point.Conclude({4, 8});
  // The others may have passed it.
  EXPECT_FALSE(point.HasNotice());
  EXPECT_EQ(Text(point.Reach(5)), "false");
  EXPECT_EQ(Text(point.Reach(8)), "true");
  PreemptionPoint later;
  later.Conclude({4, 8});
  EXPECT_EQ(Text(later.Reach(500)), "false");
  EXPECT_FALSE(later.HasNotice());
}

TEST(PreemptionPoint, WhoWaitsIsToldTheEnd) {
  const absl::Status why = absl::UnavailableError("the coordinator is gone");
  PreemptionPoint point;
  EXPECT_EQ(Text(point.Reach(0)), "false");
  point.AnswerFor(1);
  auto reached = std::async(std::launch::async, [&] { return point.Reach(1); });
  point.Close(why);
  EXPECT_EQ(reached.get().status(), why);
  EXPECT_EQ(Text(point.Reach(2)), "false");
  // What was under way when it came changes nothing.
  point.Conclude({1, 9});
  EXPECT_EQ(point.AnswerFor(2), 2);
  EXPECT_EQ(Text(point.Reach(3)), "false");
  PreemptionPoint agreed;
  EXPECT_EQ(agreed.AnswerFor(1), kNoStep);
  agreed.Conclude({1, 8});
  agreed.Close(why);
  EXPECT_EQ(Text(agreed.Reach(7)), "false");
  EXPECT_EQ(Text(agreed.Reach(8)), "true");
}

}  // namespace
}  // namespace lockstep::internal
