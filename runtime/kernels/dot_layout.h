#ifndef LOCKSTEP_RUNTIME_KERNELS_DOT_LAYOUT_H_
#define LOCKSTEP_RUNTIME_KERNELS_DOT_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "runtime/ops/geometry/dot_dimensions.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// A dot_general as batches of matrix products
//   result[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, k, n].
// Where dims of one role are not neighbours in memory at one stride, a role has
// several dims; strides are in elements.
struct DotLayout {
  struct Dim {
    int64_t size = 1;
    int64_t lhs_stride = 0;
    int64_t rhs_stride = 0;
    int64_t result_stride = 0;
  };
  // Each outermost first, neighbours merged where their strides allow it.
  absl::InlinedVector<Dim, 4> batch, m, n, k;

  int64_t batch_count() const { return Product(batch); }
  int64_t m_count() const { return Product(m); }
  int64_t n_count() const { return Product(n); }
  int64_t k_count() const { return Product(k); }
  // Whether m, n and k are one dim each at most.
  bool is_matrix() const {
    return m.size() <= 1 && n.size() <= 1 && k.size() <= 1;
  }

  // Whether each role has so few indices that they can be listed (Offsets).
  bool is_listable() const {
    constexpr int64_t kMaxIndices = int64_t{1} << 26;
    return batch_count() <= kMaxIndices && m_count() <= kMaxIndices &&
           n_count() <= kMaxIndices && k_count() <= kMaxIndices;
  }

  // Offsets in elements, by one of the strides, of every index of `dims` in
  // row-major order.
  static std::vector<int64_t> Offsets(const absl::InlinedVector<Dim, 4>& dims,
                                      int64_t Dim::* stride);

  // The same product with lhs and rhs exchanged.
  DotLayout Exchanged() const;

  static DotLayout Create(const Shape& lhs, const Shape& rhs,
                          const DotDimensions& dimensions);

 private:
  static int64_t Product(const absl::InlinedVector<Dim, 4>& dims) {
    int64_t product = 1;
    for (const Dim& dim : dims) product *= dim.size;
    return product;
  }
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_DOT_LAYOUT_H_
