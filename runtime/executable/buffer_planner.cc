#include "runtime/executable/buffer_planner.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace lockstep::internal {
namespace {

int64_t RoundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Largest first; ties by start, then by position.
std::vector<size_t> PlacementOrder(absl::Span<const LiveRange> ranges) {
  std::vector<size_t> order(ranges.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (ranges[a].size != ranges[b].size) {
      return ranges[a].size > ranges[b].size;
    }
    return ranges[a].start < ranges[b].start;
  });
  return order;
}

// The lowest offset with `size` free bytes between `taken`, which is sorted
// by offset and may overlap itself.
int64_t LowestFreeOffset(const std::vector<std::pair<int64_t, int64_t>>& taken,
                         int64_t size) {
  int64_t offset = 0;
  for (const auto& [begin, end] : taken) {
    if (begin - offset >= size) break;
    offset = std::max(offset, end);
  }
  return offset;
}

}  // namespace

BufferPlan PlanBuffers(absl::Span<const LiveRange> ranges, int64_t alignment) {
  BufferPlan plan;
  plan.offsets.resize(ranges.size(), 0);
  // Placed ranges by offset, so that the taken blocks come out sorted.
  std::multimap<int64_t, size_t> placed;
  for (size_t i : PlacementOrder(ranges)) {
    const int64_t size = RoundUp(ranges[i].size, alignment);
    if (size == 0) continue;
    std::vector<std::pair<int64_t, int64_t>> taken;
    for (const auto& [offset, j] : placed) {
      if (ranges[j].Overlaps(ranges[i])) {
        taken.emplace_back(offset, offset + RoundUp(ranges[j].size, alignment));
      }
    }
    const int64_t offset = LowestFreeOffset(taken, size);
    plan.offsets[i] = offset;
    plan.arena_size = std::max(plan.arena_size, offset + size);
    placed.emplace(offset, i);
  }
  return plan;
}

}  // namespace lockstep::internal
