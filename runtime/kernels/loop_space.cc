#include "runtime/kernels/loop_space.h"

namespace lockstep::internal {

LoopSpace::LoopSpace(absl::Span<const int64_t> dims)
    : rank_(static_cast<int64_t>(dims.size())),
      sizes_(dims.begin(), dims.end()) {
  for (int64_t i = 0; i < rank_; ++i) dim_of_.push_back(i);
}

TensorIndex LoopSpace::index() const {
  TensorIndex index(rank_, LinearIndex::Constant(loops(), 0));
  int64_t stride = 1;
  for (int64_t i = loops() - 1; i >= 0; --i) {
    if (i + 1 == loops() || dim_of_[i] != dim_of_[i + 1]) stride = 1;
    index[dim_of_[i]].coefficients[i] = stride;
    stride *= sizes_[i];
  }
  return index;
}

void LoopSpace::Split(int64_t loop, int64_t inner) {
  sizes_[loop] /= inner;
  sizes_.insert(sizes_.begin() + loop + 1, inner);
  dim_of_.insert(dim_of_.begin() + loop + 1, dim_of_[loop]);
}

namespace {

bool CanMerge(int64_t outer, int64_t inner, int64_t inner_size,
              const std::vector<LinearIndex>& uses) {
  for (const LinearIndex& use : uses) {
    if (use.coefficients[outer] != use.coefficients[inner] * inner_size) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<MergedLoop> MergeLoops(absl::Span<const int64_t> sizes,
                                   absl::Span<const int64_t> order,
                                   const std::vector<LinearIndex>& uses) {
  std::vector<MergedLoop> merged;
  for (int64_t i : order) {
    if (sizes[i] == 1) continue;
    if (!merged.empty() && CanMerge(merged.back().last, i, sizes[i], uses)) {
      merged.back().size *= sizes[i];
      merged.back().last = i;
    } else {
      merged.push_back({sizes[i], i, i});
    }
  }
  return merged;
}

}  // namespace lockstep::internal
