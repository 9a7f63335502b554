#include "runtime/ops/geometry/reduce_plan.h"

#include <algorithm>

namespace lockstep::internal {

SplitDims SplitReducedDims(int64_t rank,
                           absl::Span<const int64_t> reduced_dims) {
  SplitDims split;
  for (int64_t dim = 0; dim < rank; ++dim) {
    const bool is_reduced = std::find(reduced_dims.begin(), reduced_dims.end(),
                                      dim) != reduced_dims.end();
    (is_reduced ? split.reduced : split.kept).push_back(dim);
  }
  return split;
}

ReducePlan ReducePlan::Create(absl::Span<const int64_t> input_dims,
                              absl::Span<const int64_t> reduced_dims) {
  const int64_t rank = static_cast<int64_t>(input_dims.size());
  Dims strides(rank, 0);
  int64_t stride = 1;
  const SplitDims split = SplitReducedDims(rank, reduced_dims);
  for (auto dim = split.kept.rbegin(); dim != split.kept.rend(); ++dim) {
    strides[*dim] = stride;
    stride *= input_dims[*dim];
  }
  ReducePlan plan;
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t size = input_dims[i];
    if (size == 1) continue;
    if (!plan.dims.empty() &&
        plan.dims.back().result_stride == strides[i] * size) {
      plan.dims.back() = {plan.dims.back().size * size, strides[i]};
    } else {
      plan.dims.push_back({size, strides[i]});
    }
  }
  return plan;
}

}  // namespace lockstep::internal
