#include "client/pmap/argument_tree.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "client/tracer/element_promotion.h"

namespace lockstep::internal {

Literal NumberArgument(const Operand& number) {
  const Literal& scalar = number.scalar();
  const ElementType type = scalar.shape().element_type();
  const bool has_more_digits =
      type == ElementType::kF64 || type == ElementType::kC128;
  return has_more_digits ? scalar
                         : ConvertScalar(scalar, DefaultTypeOf(scalar));
}

absl::StatusOr<std::vector<int>> DonatedLeaves(
    const std::vector<int>& donate_argnums, int argument_count,
    const std::vector<ArgumentLeafValue>& leaves) {
  std::vector<int> donated;
  for (int argnum : donate_argnums) {
    if (argnum < 0 || argnum >= argument_count) {
      return absl::InvalidArgumentError(
          absl::StrCat("donate_argnums: there is no argument ", argnum,
                       ", the call has ", argument_count));
    }
    for (size_t i = 0; i < leaves.size(); ++i) {
      if (leaves[i].argument == argnum) donated.push_back(static_cast<int>(i));
    }
  }
  return donated;
}

}  // namespace lockstep::internal
