#include "runtime/backends/cuda/codegen/cuda_row_plan.h"

#include <algorithm>

namespace lockstep::internal {
namespace {

// Threads of a block that takes several rows, or slices.
constexpr int kThreads = 256;
constexpr int kMaxThreads = 1024;
// Rows of single elements up to here are a thread's.
constexpr int64_t kMaxThreadRow = 8;
// What a thread holds of a row: 32 registers. Fewer threads with more loads in
// flight wait less for each other than many with few.
constexpr int64_t kKeptBytes = 128;
// So many neighbours read 128 bytes side by side.
constexpr int kMinPartners = 8;
// While there are fewer threads than the device runs at once, a row gets more.
constexpr int64_t kManyThreads = 1 << 16;
// Enough blocks of kThreads threads for each multiprocessor of a large device,
// and of kMaxThreads.
constexpr int64_t kManyBlocks = 1056;
constexpr int64_t kManyLargeBlocks = 528;

int64_t CeilOf(int64_t x, int64_t divisor) {
  return (x + divisor - 1) / divisor;
}

// Cuts rows into at most `slices` parts, in multiples of `unit` elements.
void Cut(int64_t length, int64_t slices, int64_t unit, RowPlan& plan) {
  slices = std::min(slices, length / unit);
  if (slices < 2) return;
  plan.slice = CeilOf(CeilOf(length, slices), unit) * unit;
  plan.slices = CeilOf(length, plan.slice);
}

RowPlan PlanColumns(const RowSizes& sizes) {
  constexpr int64_t kThreadRows = 8;  // that a thread should at least take
  const int y = static_cast<int>(
      std::clamp<int64_t>(sizes.length / kThreadRows, 1, kWarp));
  RowPlan plan = {RowPlan::kColumns, kWarp, y, kWarp, y};
  if (sizes.is_read_once) {
    Cut(sizes.length, kManyLargeBlocks / CeilOf(sizes.rows, kWarp),
        y * kThreadRows, plan);
  }
  return plan;
}

void SetPartners(int partners, RowPlan& plan) {
  plan.partners = partners;
  if (partners > kWarp) {
    plan.kind = RowPlan::kBlock;
    plan.x = partners;
    return;
  }
  plan.kind = RowPlan::kWarp;
  plan.x = partners;
  plan.y = plan.rows = kThreads / partners;
}

// Element by element: threads that each take neighbours.
RowPlan PlanInOrder(const RowSizes& sizes) {
  RowPlan plan;
  SetPartners(sizes.length <= 1024    ? kWarp
              : sizes.length <= 4096  ? 256
              : sizes.length <= 16384 ? 512
                                      : 1024,
              plan);
  if (!sizes.is_read_once) return plan;
  Cut(sizes.length, kManyBlocks / sizes.rows, 32 * kThreads, plan);
  if (plan.slices > 1) SetPartners(kThreads, plan);
  return plan;
}

}  // namespace

RowPlan PlanRows(const RowSizes& sizes) {
  if (sizes.must_go_in_order ||
      (sizes.width == 1 && sizes.length <= kMaxThreadRow &&
       !sizes.are_columns)) {
    return {RowPlan::kThread, kThreads, 1, kThreads, 1};
  }
  if (sizes.are_columns) return PlanColumns(sizes);
  if (sizes.keeps_order) return PlanInOrder(sizes);
  RowPlan plan;
  plan.width = sizes.width;
  const int64_t groups = sizes.length / sizes.width;
  const int64_t in_flight = std::max<int64_t>(
      1, kKeptBytes / std::max<int64_t>(1, sizes.group_bytes));
  if (sizes.is_read_once) {
    Cut(sizes.length, kManyBlocks / sizes.rows,
        kThreads * in_flight * sizes.width, plan);
    if (plan.slices > 1) {
      SetPartners(kThreads, plan);
      plan.groups = static_cast<int>(in_flight);
      return plan;
    }
  }
  int partners = 1;
  while (partners < groups &&
         (partners < kMinPartners || partners * in_flight < groups) &&
         partners < kMaxThreads) {
    partners *= 2;
  }
  while (partners < kMaxThreads && partners < groups &&
         sizes.rows * partners < kManyThreads) {
    partners *= 2;
  }
  const int64_t needed = CeilOf(groups, partners);
  plan.is_kept = needed <= in_flight;
  plan.groups = static_cast<int>(
      plan.is_kept ? needed : std::max<int64_t>(1, in_flight / 2));
  SetPartners(partners, plan);
  return plan;
}

RowPlan PlanSlices(int64_t rows, int64_t slices) {
  RowPlan plan;
  if (rows >= kWarp) {
    const int y = static_cast<int>(std::clamp<int64_t>(slices / 4, 1, kWarp));
    return {RowPlan::kColumns, kWarp, y, kWarp, y};
  }
  SetPartners(slices <= kWarp ? kWarp : kThreads, plan);
  return plan;
}

}  // namespace lockstep::internal
