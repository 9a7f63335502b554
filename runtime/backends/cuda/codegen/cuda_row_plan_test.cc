#include "runtime/backends/cuda/codegen/cuda_row_plan.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kLargeDevice = 132;  // multiprocessors

// Rows of 4-byte elements, four at once where the length allows it.
RowSizes Floats(int64_t rows, int64_t length) {
  RowSizes sizes;
  sizes.rows = rows;
  sizes.length = length;
  sizes.width = length % 4 == 0 ? 4 : 1;
  sizes.group_bytes = 4 * sizes.width;
  return sizes;
}
RowSizes FloatsReadOnce(int64_t rows, int64_t length) {
  RowSizes sizes = Floats(rows, length);
  sizes.is_read_once = true;
  return sizes;
}

TEST(RowPlan, RowsUpTo128KiBAreKeptInRegisters) {
  for (int64_t length : {4, 12, 64, 1000, 1024, 8192, 20000, 32768}) {
    const RowPlan plan = PlanRows(Floats(100000, length));
    EXPECT_TRUE(plan.is_kept) << length;
    EXPECT_LE(plan.groups, 8) << length;
    EXPECT_GE(int64_t{plan.groups} * plan.partners * plan.width, length);
    EXPECT_LE(plan.x * plan.y, 1024);
    EXPECT_EQ(plan.slices, 1);
  }
  EXPECT_FALSE(PlanRows(Floats(100000, 32772)).is_kept);
}

TEST(RowPlan, NeighboursReadAWholeLine) {
  for (int64_t length : {32, 64, 128, 8192}) {
    EXPECT_GE(PlanRows(Floats(100000, length)).partners, 8) << length;
  }
  EXPECT_EQ(PlanRows(Floats(100000, 8)).partners, 2);
}

TEST(RowPlan, FewRowsGetMoreThreads) {
  EXPECT_EQ(PlanRows(Floats(8192, 8192)).partners, 256);
  EXPECT_EQ(PlanRows(Floats(64, 8192)).partners, 1024);
}

TEST(RowPlan, FewLongRowsAreCutSoThatAllMultiprocessorsWork) {
  for (int64_t rows : {1, 2, 7, 16, 128}) {
    const RowPlan plan = PlanRows(FloatsReadOnce(rows, 1 << 22));
    EXPECT_GE(plan.slices * rows, 3 * kLargeDevice) << rows;
    // No slice is empty, none is missing.
    EXPECT_LT((plan.slices - 1) * plan.slice, 1 << 22);
    EXPECT_GE(plan.slices * plan.slice, 1 << 22);
    EXPECT_EQ(plan.slice % plan.width, 0);
  }
  EXPECT_EQ(PlanRows(FloatsReadOnce(1, 8192)).slices, 1);
  EXPECT_EQ(PlanRows(FloatsReadOnce(10000, 1 << 16)).slices, 1);
  // What needs the row again needs it whole.
  EXPECT_EQ(PlanRows(Floats(1, 1 << 22)).slices, 1);
}

TEST(RowPlan, FewLongColumnsAreCut) {
  RowSizes sizes = FloatsReadOnce(64, 1 << 20);
  sizes.are_columns = true;
  const RowPlan plan = PlanRows(sizes);
  EXPECT_EQ(plan.kind, RowPlan::kColumns);
  EXPECT_GE(plan.slices, kLargeDevice);
  EXPECT_EQ(PlanSlices(64, plan.slices).kind, RowPlan::kColumns);
  EXPECT_EQ(PlanSlices(1, 1024).kind, RowPlan::kBlock);
}

TEST(RowPlan, BodiesThatAreNotKnownGoInOrder) {
  RowSizes sizes = FloatsReadOnce(3, 1 << 20);
  sizes.must_go_in_order = true;
  EXPECT_EQ(PlanRows(sizes).kind, RowPlan::kThread);
  sizes.must_go_in_order = false;
  sizes.keeps_order = true;
  EXPECT_EQ(PlanRows(sizes).groups, 0);
  EXPECT_GT(PlanRows(sizes).slices, 1);
}

}  // namespace
}  // namespace lockstep::internal
