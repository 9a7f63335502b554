#ifndef LOCKSTEP_RUNTIME_PASSES_DIM_MAPS_H_
#define LOCKSTEP_RUNTIME_PASSES_DIM_MAPS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// Lists of dims as ops carry them: broadcast_dimensions, permutations, dims of
// contractions.
using DimList = std::vector<int64_t>;

DimList IotaDims(int64_t count);  // 0, 1, ..
bool IsIota(absl::Span<const int64_t> dims);
bool IsAscending(absl::Span<const int64_t> dims);
// result[i] = outer[inner[i]].
DimList Compose(absl::Span<const int64_t> outer,
                absl::Span<const int64_t> inner);
// result[permutation[i]] = i.
DimList Inverse(absl::Span<const int64_t> permutation);
// The dims of `shape` whose size is not 1, in order.
DimList LargeDims(const Shape& shape);
// The shape with these dims alone.
Shape OnlyDims(const Shape& shape, absl::Span<const int64_t> dims);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_DIM_MAPS_H_
