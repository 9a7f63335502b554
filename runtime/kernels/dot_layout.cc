#include "runtime/kernels/dot_layout.h"

#include <utility>

namespace lockstep::internal {
namespace {

Dims StridesOf(const Shape& shape) {
  Dims strides(shape.rank(), 1);
  for (int64_t i = shape.rank() - 2; i >= 0; --i) {
    strides[i] = strides[i + 1] * shape.dim(i + 1);
  }
  return strides;
}

// Adds an inner dim, as part of the one before where that gives the same
// addresses.
void Append(absl::InlinedVector<DotLayout::Dim, 4>& dims,
            const DotLayout::Dim& dim) {
  if (dim.size == 1) return;
  if (!dims.empty()) {
    DotLayout::Dim& outer = dims.back();
    if (outer.lhs_stride == dim.lhs_stride * dim.size &&
        outer.rhs_stride == dim.rhs_stride * dim.size &&
        outer.result_stride == dim.result_stride * dim.size) {
      const int64_t size = outer.size * dim.size;
      outer = dim;
      outer.size = size;
      return;
    }
  }
  dims.push_back(dim);
}

}  // namespace

std::vector<int64_t> DotLayout::Offsets(const absl::InlinedVector<Dim, 4>& dims,
                                        int64_t Dim::* stride) {
  std::vector<int64_t> offsets = {0};
  for (const Dim& dim : dims) {
    std::vector<int64_t> finer;
    finer.reserve(offsets.size() * static_cast<size_t>(dim.size));
    for (const int64_t offset : offsets) {
      for (int64_t i = 0; i < dim.size; ++i) {
        finer.push_back(offset + i * (dim.*stride));
      }
    }
    offsets = std::move(finer);
  }
  return offsets;
}

DotLayout DotLayout::Create(const Shape& lhs, const Shape& rhs,
                            const DotDimensions& dimensions) {
  const Dims lhs_strides = StridesOf(lhs);
  const Dims rhs_strides = StridesOf(rhs);
  const std::vector<int64_t> lhs_free =
      FreeDims(lhs.rank(), dimensions.lhs_batching, dimensions.lhs_contracting);
  const std::vector<int64_t> rhs_free =
      FreeDims(rhs.rank(), dimensions.rhs_batching, dimensions.rhs_contracting);
  int64_t result_stride = 1;
  for (int64_t dim : dimensions.lhs_batching) result_stride *= lhs.dim(dim);
  for (int64_t dim : lhs_free) result_stride *= lhs.dim(dim);
  for (int64_t dim : rhs_free) result_stride *= rhs.dim(dim);

  DotLayout layout;
  // Dims of size 0 have no strides that matter.
  const auto next = [&](int64_t size) {
    return result_stride = size == 0 ? 0 : result_stride / size;
  };
  for (size_t i = 0; i < dimensions.lhs_batching.size(); ++i) {
    const int64_t a = dimensions.lhs_batching[i];
    const int64_t b = dimensions.rhs_batching[i];
    Append(layout.batch,
           {lhs.dim(a), lhs_strides[a], rhs_strides[b], next(lhs.dim(a))});
  }
  for (int64_t dim : lhs_free) {
    Append(layout.m, {lhs.dim(dim), lhs_strides[dim], 0, next(lhs.dim(dim))});
  }
  for (int64_t dim : rhs_free) {
    Append(layout.n, {rhs.dim(dim), 0, rhs_strides[dim], next(rhs.dim(dim))});
  }
  for (size_t i = 0; i < dimensions.lhs_contracting.size(); ++i) {
    const int64_t a = dimensions.lhs_contracting[i];
    const int64_t b = dimensions.rhs_contracting[i];
    Append(layout.k, {lhs.dim(a), lhs_strides[a], rhs_strides[b], 0});
  }
  return layout;
}

DotLayout DotLayout::Exchanged() const {
  DotLayout exchanged = *this;
  std::swap(exchanged.m, exchanged.n);
  for (auto* dims :
       {&exchanged.batch, &exchanged.m, &exchanged.n, &exchanged.k}) {
    for (Dim& dim : *dims) std::swap(dim.lhs_stride, dim.rhs_stride);
  }
  return exchanged;
}

}  // namespace lockstep::internal
