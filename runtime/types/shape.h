#ifndef LOCKSTEP_RUNTIME_TYPES_SHAPE_H_
#define LOCKSTEP_RUNTIME_TYPES_SHAPE_H_

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/types/element_type.h"

namespace lockstep {

using Dims = absl::InlinedVector<int64_t, 4>;

// Element type and element counts per dimension; dense, row-major (the last
// dimension is the fastest). Sizes are >= 0; a shape without dimensions is a
// scalar. A value type.
class Shape {
 public:
  Shape() : Shape(ElementType::kF32, {}) {}
  // `dims` must be valid (see Create): for shapes that are known to be.
  Shape(ElementType element_type, absl::Span<const int64_t> dims);
  Shape(ElementType element_type, std::initializer_list<int64_t> dims)
      : Shape(element_type, absl::MakeConstSpan(dims.begin(), dims.size())) {}

  // INVALID_ARGUMENT when a size is negative or the byte size (of the
  // dims that are not 0) overflows 64 bits.
  static absl::StatusOr<Shape> Create(ElementType element_type,
                                      absl::Span<const int64_t> dims);

  ElementType element_type() const { return element_type_; }
  absl::Span<const int64_t> dims() const { return dims_; }
  int64_t dim(int64_t i) const { return dims_[i]; }
  int64_t rank() const { return static_cast<int64_t>(dims_.size()); }
  int64_t element_count() const { return element_count_; }
  int64_t byte_size() const { return element_count_ * ByteSize(element_type_); }
  // Elements between neighbours of each dimension.
  Dims Strides() const;

  // StableHLO form: "tensor<2x3xf32>", "tensor<i1>".
  std::string ToString() const;

  friend bool operator==(const Shape& a, const Shape& b) {
    return a.element_type_ == b.element_type_ && a.dims_ == b.dims_;
  }
  friend std::ostream& operator<<(std::ostream& os, const Shape& shape) {
    return os << shape.ToString();
  }
  template <typename H>
  friend H AbslHashValue(H h, const Shape& s) {
    return H::combine(std::move(h), s.element_type_, s.dims_);
  }

 private:
  ElementType element_type_;
  Dims dims_;
  int64_t element_count_;
};

// "2x3" for {2, 3}; "" for a scalar.
std::string DimsToString(absl::Span<const int64_t> dims);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_TYPES_SHAPE_H_
