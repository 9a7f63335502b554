#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_PLANNER_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_PLANNER_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace lockstep::internal {

// A value that needs `size` bytes from step `start` to step `end`, both
// included. Steps count in execution order.
struct LiveRange {
  int64_t size = 0;
  int64_t start = 0;
  int64_t end = 0;

  bool Overlaps(const LiveRange& other) const {
    return start <= other.end && other.start <= end;
  }
};

struct BufferPlan {
  std::vector<int64_t> offsets;  // one per live range
  int64_t arena_size = 0;
};

// Places live ranges in one arena: two that overlap in time never overlap in
// memory, and every offset is a multiple of `alignment`. Largest first, each
// at the lowest offset that is free during its life. The same ranges give the
// same plan everywhere. Pure.
BufferPlan PlanBuffers(absl::Span<const LiveRange> ranges, int64_t alignment);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_PLANNER_H_
