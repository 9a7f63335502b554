#include "runtime/backends/memory_layout.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/backends/schedule_overlap.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using Kind = BufferAllocation::Kind;
using Role = ScheduledTensor::TensorRole;

const Op& AnyOp() {
  static const Op* op = [] {
    OpState state;
    state.name = "func.return";
    return new Op(std::move(state));
  }();
  return *op;
}

struct Program {
  TensorId Tensor(Role role, int index = 0, int64_t elements = 4) {
    schedule.tensors.push_back(
        {Shape(ElementType::kF32, {elements}), role, index});
    return static_cast<TensorId>(schedule.tensors.size()) - 1;
  }
  TensorId Argument(int64_t elements = 4) {
    schedule.arguments.push_back(
        Tensor(Role::kArgument, static_cast<int>(schedule.arguments.size()),
               elements));
    return schedule.arguments.back();
  }
  TensorId Compute(std::vector<TensorId> operands, int64_t elements = 4) {
    Step step;
    step.op = &AnyOp();
    step.operands = std::move(operands);
    step.results = {Tensor(Role::kTemporary, 0, elements)};
    schedule.steps.push_back(step);
    return step.results[0];
  }
  Schedule schedule;
};

TEST(MemoryLayoutTest, ResultIsComputedWhereItIsReturned) {
  Program p;
  const TensorId x = p.Argument();
  const TensorId y = p.Compute({x});
  const TensorId z = p.Compute({y});
  p.schedule.results = {z};
  const MemoryLayout layout = PlanMemory(p.schedule, {}, AnyOp());
  EXPECT_EQ(p.schedule.steps.size(), 2u);
  EXPECT_EQ(layout.allocations[layout.slices[z].allocation].kind,
            Kind::kResult);
  EXPECT_EQ(layout.slices[y].allocation, 0);
  EXPECT_EQ(layout.allocations[0].size, 64);
}

TEST(MemoryLayoutTest, ReturnedArgumentConstantAndDuplicateAreCopied) {
  Program p;
  const TensorId x = p.Argument();
  const TensorId c = p.Tensor(Role::kConstant);
  const TensorId y = p.Compute({x});
  p.schedule.results = {x, c, y, y};
  const MemoryLayout layout = PlanMemory(p.schedule, {}, AnyOp());
  EXPECT_EQ(p.schedule.steps.size(), 4u);
  for (int allocation : layout.result_allocations) {
    EXPECT_EQ(layout.allocations[allocation].kind, Kind::kResult);
  }
}

TEST(MemoryLayoutTest, ResultTakesOverADonatedArgumentThatIsNotNeededAnyMore) {
  Program p;
  const TensorId x = p.Argument();
  const TensorId y = p.Compute({x});
  const TensorId z = p.Compute({y});
  p.schedule.results = {z};
  const MemoryLayout layout = PlanMemory(p.schedule, {0}, AnyOp());
  EXPECT_EQ(layout.slices[z], layout.slices[x]);
  EXPECT_THAT(layout.result_allocations,
              ElementsAre(layout.argument_allocations[0]));
}

TEST(MemoryLayoutTest, DonatedArgumentThatIsStillReadIsNotTakenOver) {
  Program p;
  const TensorId x = p.Argument();
  const TensorId y = p.Compute({x});
  const TensorId z = p.Compute({x, y});
  p.schedule.results = {y, z};
  const MemoryLayout layout = PlanMemory(p.schedule, {0}, AnyOp());
  EXPECT_NE(layout.slices[y].allocation, layout.slices[x].allocation);
  EXPECT_NE(layout.slices[z].allocation, layout.slices[x].allocation);
}

TEST(MemoryLayoutTest, DonatedArgumentIsTakenOverOnceAndOnlyByItsShape) {
  Program p;
  const TensorId x = p.Argument();
  const TensorId y = p.Compute({x});
  const TensorId small = p.Compute({y}, 2);
  const TensorId first = p.Compute({y});
  const TensorId second = p.Compute({y});
  p.schedule.results = {small, first, second};
  const MemoryLayout layout = PlanMemory(p.schedule, {0}, AnyOp());
  EXPECT_NE(layout.slices[small].allocation, layout.slices[x].allocation);
  EXPECT_EQ(layout.slices[first].allocation, layout.slices[x].allocation);
  EXPECT_NE(layout.slices[second].allocation, layout.slices[x].allocation);
}

TEST(MemoryLayoutTest, ReturnedDonatedArgumentStaysWhereItIs) {
  Program p;
  const TensorId x = p.Argument();
  const TensorId y = p.Compute({x});
  p.schedule.results = {y, x};
  const MemoryLayout layout = PlanMemory(p.schedule, {0}, AnyOp());
  EXPECT_EQ(p.schedule.steps.size(), 1u);
  EXPECT_EQ(layout.result_allocations[1], layout.argument_allocations[0]);
  EXPECT_NE(layout.result_allocations[0], layout.argument_allocations[0]);
}

// x -> collective -> y; then steps that do not need either.
TEST(MemoryLayoutTest, WhatACollectiveUsesIsNotUsedAgainWhileItIsUnderWay) {
  for (const bool overlaps : {false, true}) {
    Program p;
    const TensorId x = p.Argument();
    const TensorId operand = p.Compute({x});
    const TensorId sum = p.Compute({operand});
    p.schedule.steps.back().kind = Step::Kind::kCollective;
    const TensorId packed = p.Tensor(Role::kTemporary);
    p.schedule.steps.back().packed = {packed};
    const TensorId a = p.Compute({x});
    const TensorId b = p.Compute({a});
    const TensorId c = p.Compute({b, sum});
    p.schedule.results = {c};
    PlanScheduleOverlap(p.schedule, overlaps ? OverlapPolicy::Always()
                                             : OverlapPolicy::Never());
    EXPECT_EQ(p.schedule.steps[1].overlapped_steps, overlaps ? 2 : 0);
    const MemoryLayout layout = PlanMemory(p.schedule, {}, AnyOp());
    for (const TensorId other : {a, b}) {
      EXPECT_NE(layout.slices[other], layout.slices[sum]);
      if (!overlaps) continue;
      EXPECT_NE(layout.slices[other], layout.slices[operand]);
      EXPECT_NE(layout.slices[other], layout.slices[packed]);
    }
    EXPECT_EQ(layout.allocations[0].size, overlaps ? 5 * 64 : 3 * 64);
  }
}

TEST(MemoryLayoutTest, ADonatedArgumentIsNotTakenOverWhileACollectiveReadsIt) {
  for (const bool overlaps : {false, true}) {
    Program p;
    const TensorId x = p.Argument();
    const TensorId other = p.Argument();
    const TensorId sum = p.Compute({x});
    p.schedule.steps.back().kind = Step::Kind::kCollective;
    const TensorId a = p.Compute({other});
    const TensorId b = p.Compute({a, sum});
    p.schedule.results = {a, b};
    PlanScheduleOverlap(p.schedule, overlaps ? OverlapPolicy::Always()
                                             : OverlapPolicy::Never());
    const MemoryLayout layout = PlanMemory(p.schedule, {0}, AnyOp());
    EXPECT_EQ(layout.slices[a] == layout.slices[x], !overlaps);
    EXPECT_EQ(layout.slices[b] == layout.slices[x], false);
  }
}

}  // namespace
}  // namespace lockstep::internal
