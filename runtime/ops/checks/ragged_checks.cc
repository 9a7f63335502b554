#include "runtime/ops/checks/ragged_checks.h"

#include "absl/strings/str_cat.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

absl::Status CheckRaggedRows(const Op& op) {
  const Shape& operand = op.operand(0)->shape();
  const Shape& output = op.operand(1)->shape();
  if (operand.rank() > 0 && output.rank() > 0 &&
      operand.element_type() == output.element_type() &&
      operand.dims().subspan(1) == output.dims().subspan(1)) {
    return absl::OkStatus();
  }
  return op.Error(absl::StrCat(
      "expected an operand and an output of one type but for the first "
      "dimension, found ",
      operand.ToString(), " and ", output.ToString()));
}

absl::Status CheckSliceCount(const Op& op, absl::string_view what,
                             int64_t count, int64_t group_size) {
  if (count > 0 && count % group_size == 0) return absl::OkStatus();
  return op.Error(absl::StrCat(what, ": expected a multiple of ", group_size,
                               " (the group's size) slices, found ", count));
}

}  // namespace lockstep::internal
