#include "runtime/passes/import/shape_change.h"

namespace lockstep::internal {

absl::string_view CustomCallTarget(const Op& op) {
  if (op.name() != "stablehlo.custom_call") return "";
  const Attribute* target = op.attribute("call_target_name");
  const auto* name =
      target == nullptr ? nullptr : target->As<Attribute::String>();
  return name == nullptr ? absl::string_view() : name->value;
}

}  // namespace lockstep::internal
