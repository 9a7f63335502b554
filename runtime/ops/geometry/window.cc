#include "runtime/ops/geometry/window.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/types/convert.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

absl::Status CheckPositive(const Op& op, absl::string_view name,
                           absl::Span<const int64_t> values, int64_t rank) {
  RETURN_IF_ERROR(CheckOnePerDim(op, name, values, rank));
  for (int64_t value : values) {
    if (value < 1) {
      return op.Error(
          absl::StrCat(name, ": expected 1 or more, found ", value));
    }
  }
  return absl::OkStatus();
}

// (size - 1) * step + 1, or 0 for nothing; false when it overflows.
bool Dilated(int64_t size, int64_t step, int64_t* result) {
  if (size == 0) {
    *result = 0;
    return true;
  }
  return !__builtin_mul_overflow(size - 1, step, result) &&
         !__builtin_add_overflow(*result, 1, result);
}

}  // namespace

bool Window::KeepsElements(int64_t dim) const {
  return sizes[dim] == 1 && strides[dim] == 1 && base_dilations[dim] == 1 &&
         padding[dim] == std::pair<int64_t, int64_t>(0, 0);
}

std::vector<int64_t> Window::LowPadding() const {
  std::vector<int64_t> low;
  for (const auto& pair : padding) low.push_back(pair.first);
  return low;
}

std::vector<int64_t> Window::InteriorPadding() const {
  std::vector<int64_t> interior;
  for (int64_t dilation : base_dilations) interior.push_back(dilation - 1);
  return interior;
}

absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> PaddingPairsOf(
    const Op& op, int64_t rank) {
  std::vector<std::pair<int64_t, int64_t>> pairs(rank, {0, 0});
  const Attribute* attribute = op.attribute("padding");
  if (attribute == nullptr) return pairs;
  const auto* elements = attribute->As<Attribute::Elements>();
  if (elements == nullptr || elements->shape.dims() != Dims{rank, 2} ||
      !IsInteger(elements->shape.element_type())) {
    return op.Error(
        absl::StrCat("padding: expected a tensor<", rank, "x2xi64>"));
  }
  Literal values(Shape(ElementType::kS64, elements->shape.dims()));
  ConvertElements(elements->ToLiteral(), values.mutable_view());
  for (int64_t dim = 0; dim < rank; ++dim) {
    pairs[dim] = {values.data<int64_t>()[2 * dim],
                  values.data<int64_t>()[2 * dim + 1]};
  }
  return pairs;
}

absl::StatusOr<Window> WindowOf(const Op& op, int64_t rank) {
  const std::vector<int64_t> ones(rank, 1);
  Window window;
  ASSIGN_OR_RETURN(window.sizes, op.IntegersAttribute("window_dimensions"));
  ASSIGN_OR_RETURN(window.strides,
                   op.IntegersAttributeOr("window_strides", ones));
  ASSIGN_OR_RETURN(window.base_dilations,
                   op.IntegersAttributeOr("base_dilations", ones));
  ASSIGN_OR_RETURN(window.window_dilations,
                   op.IntegersAttributeOr("window_dilations", ones));
  ASSIGN_OR_RETURN(window.padding, PaddingPairsOf(op, rank));
  RETURN_IF_ERROR(CheckPositive(op, "window_dimensions", window.sizes, rank));
  RETURN_IF_ERROR(CheckWindow(op, window, rank));
  return window;
}

absl::Status CheckWindow(const Op& op, const Window& window, int64_t rank) {
  RETURN_IF_ERROR(CheckPositive(op, "window_strides", window.strides, rank));
  RETURN_IF_ERROR(
      CheckPositive(op, "base dilations", window.base_dilations, rank));
  return CheckPositive(op, "window dilations", window.window_dilations, rank);
}

absl::StatusOr<Dims> PaddedSizes(const Op& op, const Window& window,
                                 absl::Span<const int64_t> dims) {
  Dims sizes;
  for (size_t d = 0; d < dims.size(); ++d) {
    const auto [low, high] = window.padding[d];
    int64_t size;
    if (!Dilated(dims[d], window.base_dilations[d], &size) ||
        __builtin_add_overflow(size, low, &size) ||
        __builtin_add_overflow(size, high, &size)) {
      return op.Error(absl::StrCat("dim ", d, " of size ", dims[d],
                                   ": its padded size overflows"));
    }
    sizes.push_back(std::max<int64_t>(size, 0));
  }
  return sizes;
}

absl::StatusOr<Dims> WindowCounts(const Op& op, const Window& window,
                                  absl::Span<const int64_t> dims) {
  ASSIGN_OR_RETURN(Dims counts, PaddedSizes(op, window, dims));
  for (size_t d = 0; d < dims.size(); ++d) {
    int64_t size;
    if (!Dilated(window.sizes[d], window.window_dilations[d], &size)) {
      return op.Error(absl::StrCat("window dim ", d, " of size ",
                                   window.sizes[d],
                                   ": its dilated size overflows"));
    }
    const bool fits = counts[d] > 0 && size <= counts[d];
    counts[d] = fits ? (counts[d] - size) / window.strides[d] + 1 : 0;
  }
  return counts;
}

WindowSlices::WindowSlices(const Window& window, const Shape& padded,
                           const Shape& places)
    : sizes_(window.sizes),
      place_dims_(places.dims().begin(), places.dims().end()),
      target_strides_(places.Strides()) {
  const Dims strides = padded.Strides();
  for (size_t d = 0; d < sizes_.size(); ++d) {
    source_strides_.push_back(strides[d] * window.strides[d]);
    index_strides_.push_back(strides[d] * window.window_dilations[d]);
    size_ *= sizes_[d];
  }
}

int64_t WindowSlices::OffsetOf(int64_t index) const {
  int64_t offset = 0;
  for (size_t d = sizes_.size(); d-- > 0;) {
    offset += index % sizes_[d] * index_strides_[d];
    index /= sizes_[d];
  }
  return offset;
}

void WindowSlices::Copy(int64_t index, const LiteralView& padded,
                        std::byte* elements) const {
  const int64_t size = ByteSize(padded.shape().element_type());
  StridedCopy(size, place_dims_,
              {padded.bytes() + OffsetOf(index) * size, source_strides_},
              {elements, target_strides_});
}

}  // namespace lockstep::internal
