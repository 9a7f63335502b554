#include "runtime/executable/overlap_plan.h"

#include <algorithm>

namespace lockstep::internal {
namespace {

using Kind = OverlapUnit::Kind;

// Whether the order of the two matters.
bool Conflict(const OverlapUnit& a, const OverlapUnit& b) {
  for (const BufferUse& x : a.uses) {
    for (const BufferUse& y : b.uses) {
      const bool is_read_only = x.access == BufferUse::Access::kRead &&
                                y.access == BufferUse::Access::kRead;
      if (!is_read_only && x.slice.Overlaps(y.slice)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<int> PlanOverlap(absl::Span<const OverlapUnit> units,
                             const OverlapPolicy& policy) {
  const int count = static_cast<int>(units.size());
  std::vector<int> ends(units.size(), 0);
  // Backwards, since a later collective that is not started ends the time of
  // those before it.
  for (int i = count - 1; i >= 0; --i) {
    if (units[i].kind != Kind::kCollective ||
        units[i].bytes < policy.min_collective_bytes) {
      continue;
    }
    const int limit = std::min(count, i + 1 + kMaxOverlappedUnits);
    int64_t bytes = 0;
    bool has_work = false;
    int end = i + 1;
    for (; end < limit; ++end) {
      const OverlapUnit& unit = units[end];
      const bool is_started = ends[end] > 0;
      if (unit.kind == Kind::kMeeting ||
          (unit.kind == Kind::kCollective && !is_started) ||
          Conflict(units[i], unit)) {
        break;
      }
      if (is_started) continue;
      has_work = true;
      bytes += unit.bytes;
    }
    if (has_work && bytes >= policy.min_independent_bytes) ends[i] = end;
  }
  return ends;
}

}  // namespace lockstep::internal
