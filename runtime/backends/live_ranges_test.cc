#include "runtime/backends/live_ranges.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

constexpr auto kCopy = Step::Kind::kCopy;

// Schedules over tensors of 4 bytes.
class Builder {
 public:
  TensorId Tensor(ScheduledTensor::TensorRole role =
                      ScheduledTensor::TensorRole::kTemporary) {
    schedule.tensors.push_back({Shape(ElementType::kF32, {}), role, 0});
    return static_cast<TensorId>(schedule.tensors.size()) - 1;
  }
  static Step Copy(TensorId from, TensorId to) {
    Step step;
    step.kind = kCopy;
    step.operands = {from};
    step.results = {to};
    return step;
  }
  static Step While(TensorId predicate, std::vector<Step> condition,
                    std::vector<Step> body) {
    Step step;
    step.kind = Step::Kind::kWhile;
    step.operands = {predicate};
    step.nested = {std::move(condition), std::move(body)};
    return step;
  }

  Schedule schedule;
};

TEST(LiveRangesTest, ValueLivesFromItsDefinitionToItsLastUse) {
  Builder b;
  const TensorId x = b.Tensor(ScheduledTensor::TensorRole::kArgument);
  const TensorId y = b.Tensor(), z = b.Tensor(), w = b.Tensor();
  b.schedule.arguments = {x};
  b.schedule.steps = {Builder::Copy(x, y), Builder::Copy(y, z),
                      Builder::Copy(y, w)};
  b.schedule.results = {w};
  const auto ranges = ComputeLiveRanges(b.schedule);
  EXPECT_EQ(ranges[x].start, -1);
  EXPECT_EQ(ranges[x].end, 0);
  EXPECT_EQ(ranges[y].start, 0);
  EXPECT_EQ(ranges[y].end, 2);
  EXPECT_EQ(ranges[z].start, 1);
  EXPECT_EQ(ranges[z].end, 1);
  EXPECT_EQ(ranges[w].end, 3);
}

TEST(LiveRangesTest, TensorThatNothingTouchesHasAnEmptyRange) {
  Builder b;
  const TensorId x = b.Tensor();
  const auto ranges = ComputeLiveRanges(b.schedule);
  EXPECT_LT(ranges[x].end, ranges[x].start);
}

TEST(LiveRangesTest, ValueFromOutsideLivesThroughTheWholeLoop) {
  Builder b;
  const TensorId x = b.Tensor(ScheduledTensor::TensorRole::kArgument);
  const TensorId outside = b.Tensor(), predicate = b.Tensor(),
                 first = b.Tensor(), last = b.Tensor();
  b.schedule.arguments = {x};
  b.schedule.steps = {
      Builder::Copy(x, outside),
      // The body reads `outside` first and makes `last` afterwards: with the
      // next iteration in mind they must not share memory.
      Builder::While(
          predicate, {Builder::Copy(x, predicate)},
          {Builder::Copy(outside, first), Builder::Copy(first, last)}),
  };
  const auto ranges = ComputeLiveRanges(b.schedule);
  EXPECT_TRUE(ranges[outside].Overlaps(ranges[last]));
  // What is made in the body lives within one iteration.
  EXPECT_EQ(ranges[last].start, ranges[last].end);
}

TEST(LiveRangesTest, PredicateSurvivesUntilItIsRead) {
  Builder b;
  const TensorId x = b.Tensor(ScheduledTensor::TensorRole::kArgument);
  const TensorId predicate = b.Tensor(), later = b.Tensor();
  b.schedule.arguments = {x};
  b.schedule.steps = {Builder::While(
      predicate, {Builder::Copy(x, predicate), Builder::Copy(x, later)}, {})};
  const auto ranges = ComputeLiveRanges(b.schedule);
  EXPECT_TRUE(ranges[predicate].Overlaps(ranges[later]));
}

TEST(LiveRangesTest, InnerLoopExtendsOnlyWhatComesFromOutsideOfIt) {
  Builder b;
  const TensorId x = b.Tensor(ScheduledTensor::TensorRole::kArgument);
  const TensorId predicate = b.Tensor(), inner_predicate = b.Tensor(),
                 between = b.Tensor(), after = b.Tensor(), used = b.Tensor();
  b.schedule.arguments = {x};
  b.schedule.steps = {Builder::While(
      predicate, {Builder::Copy(x, predicate)},
      {Builder::Copy(x, between),
       Builder::While(inner_predicate, {Builder::Copy(x, inner_predicate)},
                      {Builder::Copy(between, used)}),
       Builder::Copy(x, after)})};
  const auto ranges = ComputeLiveRanges(b.schedule);
  EXPECT_TRUE(ranges[between].Overlaps(ranges[used]));
  EXPECT_FALSE(ranges[between].Overlaps(ranges[after]));
}

TEST(LiveRangesTest, WhatACollectiveUsesLivesUntilAfterTheStepsBesideIt) {
  Builder b;
  const TensorId x = b.Tensor(ScheduledTensor::TensorRole::kArgument);
  const TensorId operand = b.Tensor(), sum = b.Tensor(), packed = b.Tensor(),
                 first = b.Tensor(), second = b.Tensor(), third = b.Tensor();
  b.schedule.arguments = {x};
  Step collective = Builder::Copy(operand, sum);
  collective.kind = Step::Kind::kCollective;
  collective.packed = {packed};
  collective.overlapped_steps = 2;
  b.schedule.steps = {Builder::Copy(x, operand), collective,
                      Builder::Copy(x, first), Builder::Copy(x, second),
                      Builder::Copy(sum, third)};
  const auto ranges = ComputeLiveRanges(b.schedule);
  for (TensorId tensor : {operand, sum, packed}) {
    EXPECT_EQ(ranges[tensor].end, 4) << tensor;
  }
  EXPECT_EQ(ranges[operand].start, 0);
  EXPECT_EQ(ranges[packed].start, 1);
}

}  // namespace
}  // namespace lockstep::internal
