#include "runtime/ops/geometry/padding.h"

#include <algorithm>

#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// The operand's elements that stay, and where they go: the box of a copy.
struct KeptBox {
  Dims dims;
  Dims target_strides;
  int64_t source_first = 0;
  int64_t target_first = 0;
};

KeptBox BoxOf(const Shape& operand, const Shape& result,
              absl::Span<const int64_t> lows,
              absl::Span<const int64_t> interior) {
  KeptBox box;
  const Dims source_strides = operand.Strides();
  const Dims target_strides = result.Strides();
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    const int64_t step = interior[dim] + 1;
    const int64_t low = lows[dim];
    // Element i lies at low + i * step; it stays when that is in the result.
    const int64_t first = low >= 0 ? 0 : (-low + step - 1) / step;
    const int64_t room = result.dim(dim) - 1 - low;
    const int64_t last =
        room < 0 ? -1 : std::min(operand.dim(dim) - 1, room / step);
    box.dims.push_back(std::max<int64_t>(last - first + 1, 0));
    box.target_strides.push_back(target_strides[dim] * step);
    box.source_first += first * source_strides[dim];
    box.target_first += (low + first * step) * target_strides[dim];
  }
  return box;
}

}  // namespace

void PadInto(const LiteralView& operand, const std::byte* value,
             absl::Span<const int64_t> low, absl::Span<const int64_t> interior,
             const MutableLiteralView& result) {
  const ElementType type = result.shape().element_type();
  const int64_t size = ByteSize(type);
  FillElements(size, value, result.bytes(), result.shape().element_count());
  const KeptBox box = BoxOf(operand.shape(), result.shape(), low, interior);
  if (Shape(type, box.dims).element_count() == 0) return;
  StridedCopy(
      size, box.dims,
      {operand.bytes() + box.source_first * size, operand.shape().Strides()},
      {result.bytes() + box.target_first * size, box.target_strides});
}

}  // namespace lockstep::internal
