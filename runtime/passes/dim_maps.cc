#include "runtime/passes/dim_maps.h"

#include <algorithm>
#include <numeric>

namespace lockstep::internal {

DimList IotaDims(int64_t count) {
  DimList dims(count);
  std::iota(dims.begin(), dims.end(), int64_t{0});
  return dims;
}

bool IsIota(absl::Span<const int64_t> dims) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

bool IsAscending(absl::Span<const int64_t> dims) {
  return std::is_sorted(dims.begin(), dims.end());
}

DimList Compose(absl::Span<const int64_t> outer,
                absl::Span<const int64_t> inner) {
  DimList dims;
  for (int64_t dim : inner) dims.push_back(outer[dim]);
  return dims;
}

DimList Inverse(absl::Span<const int64_t> permutation) {
  DimList dims(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) dims[permutation[i]] = i;
  return dims;
}

DimList LargeDims(const Shape& shape) {
  DimList dims;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (shape.dim(i) != 1) dims.push_back(i);
  }
  return dims;
}

Shape OnlyDims(const Shape& shape, absl::Span<const int64_t> dims) {
  Dims kept;
  for (int64_t dim : dims) kept.push_back(shape.dim(dim));
  return Shape(shape.element_type(), kept);
}

}  // namespace lockstep::internal
