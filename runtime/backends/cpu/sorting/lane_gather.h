#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_SORTING_LANE_GATHER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_SORTING_LANE_GATHER_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace lockstep::internal {

// to[i * to_stride] = from[order[i] * from_stride], of elements of 1, 2, 4, 8
// or 16 bytes.
void GatherLane(int64_t element_size, const std::byte* from,
                int64_t from_stride, absl::Span<const uint32_t> order,
                std::byte* to, int64_t to_stride);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_SORTING_LANE_GATHER_H_
