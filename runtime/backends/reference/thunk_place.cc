#include "runtime/backends/reference/thunk_place.h"

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

absl::Status ThunkPlace::RunCollective(
    const Op& op, const CollectiveSpec& spec,
    absl::Span<const LiteralView> operands,
    absl::Span<const MutableLiteralView> results) {
  return absl::InternalError(
      absl::StrCat(op.name(), " reached a region of a thunk"));
}

}  // namespace lockstep::internal
