#include "runtime/ops/geometry/start_indices.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

// An index beyond 2^63 counts as the largest one, which is clamped anyway.
int64_t IndexValue(const LiteralView& index) {
  if (index.shape().element_type() == ElementType::kU64) {
    return static_cast<int64_t>(std::min<uint64_t>(
        index.data<uint64_t>()[0], std::numeric_limits<int64_t>::max()));
  }
  Literal value(Shape(ElementType::kS64, {}));
  ConvertElements(index, value.mutable_view());
  return value.data<int64_t>()[0];
}

}  // namespace

absl::Status CheckStartIndices(const Op& op, int first) {
  const int64_t rank = op.operand(0)->shape().rank();
  const int found = op.operand_count() - first;
  if (found != rank) {
    return op.Error(absl::StrCat("start_indices: expected ", rank,
                                 " (one per dimension), found ", found));
  }
  for (int i = first; i < op.operand_count(); ++i) {
    RETURN_IF_ERROR(CheckElementType(op, i, kIntegerTypes));
    RETURN_IF_ERROR(CheckRank(op, i, 0));
    RETURN_IF_ERROR(CheckSameType(op, first, i));
  }
  return absl::OkStatus();
}

Dims ClampedStarts(absl::Span<const LiteralView> indices,
                   absl::Span<const int64_t> dims,
                   absl::Span<const int64_t> sizes) {
  Dims starts;
  for (size_t i = 0; i < indices.size(); ++i) {
    starts.push_back(
        std::clamp<int64_t>(IndexValue(indices[i]), 0, dims[i] - sizes[i]));
  }
  return starts;
}

}  // namespace lockstep::internal
