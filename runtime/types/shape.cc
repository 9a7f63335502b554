#include "runtime/types/shape.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep {
namespace {

// nullopt when a size is negative, or when the bytes of the dims that are not
// zero overflow: strides must fit as well as the size.
std::optional<int64_t> CheckedElementCount(ElementType type,
                                           absl::Span<const int64_t> dims) {
  int64_t limit = std::numeric_limits<int64_t>::max() / ByteSize(type);
  int64_t count = 1;
  bool empty = false;
  for (int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    if (dim == 0) {
      empty = true;
      continue;
    }
    if (dim > limit) return std::nullopt;
    limit /= dim;
    count *= dim;
  }
  return empty ? 0 : count;
}

}  // namespace

Shape::Shape(ElementType element_type, absl::Span<const int64_t> dims)
    : element_type_(element_type), dims_(dims.begin(), dims.end()) {
  const std::optional<int64_t> count = CheckedElementCount(element_type, dims);
  LOCKSTEP_CHECK(count.has_value());
  element_count_ = *count;
}

absl::StatusOr<Shape> Shape::Create(ElementType element_type,
                                    absl::Span<const int64_t> dims) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0) {
      return absl::InvalidArgumentError(absl::StrCat("dim ", i, " of shape [",
                                                     absl::StrJoin(dims, ", "),
                                                     "] is negative"));
    }
  }
  if (!CheckedElementCount(element_type, dims).has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("shape [", absl::StrJoin(dims, ", "), "] of ",
                     StablehloName(element_type),
                     " has a byte size that does not fit 64 bits"));
  }
  return Shape(element_type, dims);
}

Dims Shape::Strides() const {
  Dims strides(dims_.size());
  int64_t stride = 1;
  for (int64_t i = rank() - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= std::max<int64_t>(dims_[i], 1);
  }
  return strides;
}

std::string Shape::ToString() const {
  return absl::StrCat("tensor<", DimsToString(dims_), dims_.empty() ? "" : "x",
                      StablehloName(element_type_), ">");
}

std::string DimsToString(absl::Span<const int64_t> dims) {
  return absl::StrJoin(dims, "x");
}

}  // namespace lockstep
