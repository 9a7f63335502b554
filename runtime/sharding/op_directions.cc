#include "runtime/sharding/op_directions.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/status.h"
#include "runtime/ir/attribute.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {
namespace {

using Kind = OpPriorityClass::Kind;

bool MovesToAnotherMemory(const Op& op) {
  if (op.name() != "stablehlo.custom_call") return false;
  const Attribute* const attribute = op.attribute("call_target_name");
  const auto* target =
      attribute == nullptr ? nullptr : attribute->As<Attribute::String>();
  return target != nullptr &&
         (target->value == "MoveToHost" || target->value == "MoveToDevice");
}

Kind KindOf(const Op& op) {
  const absl::string_view name = op.name();
  if (IsElementwiseInPropagation(op) || MovesToAnotherMemory(op) ||
      name == "stablehlo.reshape" || name == "stablehlo.transpose") {
    return Kind::kPassThrough;
  }
  if (name == "stablehlo.dynamic_slice" ||
      name == "stablehlo.dynamic_update_slice") {
    return Kind::kDynamicSlice;
  }
  return name == "stablehlo.broadcast_in_dim" ? Kind::kBroadcast : Kind::kOther;
}

absl::StatusOr<PropagationDirection> BarrierDirection(const Op& op) {
  ASSIGN_OR_RETURN(const std::string direction,
                   op.EnumAttribute("allowed_direction"));
  if (direction == "NONE") return PropagationDirection::kNone;
  if (direction == "FORWARD") return PropagationDirection::kForward;
  if (direction == "BACKWARD") return PropagationDirection::kBackward;
  return op.Error(absl::StrCat(
      "allowed_direction: expected NONE, FORWARD or BACKWARD, found ",
      direction));
}

// What a step has beside those before it.
PropagationDirection AddedAtStep(int step, const OpPriorityClass& op,
                                 FactorKind factor) {
  const PropagationDirection backward_if_broadcast =
      op.kind == Kind::kBroadcast ? PropagationDirection::kBackward
                                  : PropagationDirection::kBoth;
  switch (step) {
    case 0:
      if (op.has_shared_operand) return PropagationDirection::kNone;
      [[fallthrough]];
    case 1:
      if (op.kind == Kind::kPassThrough) return PropagationDirection::kBoth;
      if (op.kind == Kind::kDynamicSlice) return PropagationDirection::kForward;
      return PropagationDirection::kNone;
    case 2:
      return factor == FactorKind::kPassThrough ? backward_if_broadcast
                                                : PropagationDirection::kNone;
    case 3:
      return backward_if_broadcast;
    default:
      return PropagationDirection::kBoth;
  }
}

PropagationDirection Union(PropagationDirection a, PropagationDirection b) {
  if (a == PropagationDirection::kNone || a == b) return b;
  return b == PropagationDirection::kNone ? a : PropagationDirection::kBoth;
}

}  // namespace

absl::StatusOr<OpPriorityClass> OpPriorityClassOf(const Op& op) {
  if (op.name() != "sdy.propagation_barrier") {
    return OpPriorityClass{.kind = KindOf(op)};
  }
  ASSIGN_OR_RETURN(const PropagationDirection direction, BarrierDirection(op));
  return OpPriorityClass{.kind = Kind::kFixed, .direction = direction};
}

bool IsElementwiseInPropagation(const Op& op) {
  const absl::string_view name = op.name();
  if (name == "sdy.sharding_constraint" || name == "sdy.reshard" ||
      name == "sdy.propagation_barrier") {
    return true;
  }
  if (op.def() == nullptr || op.def()->kind() != OpKind::kElementwise) {
    return false;
  }
  // It has a dim more or less where the width changes.
  if (name == "stablehlo.bitcast_convert") {
    return op.operand(0)->shape().rank() == op.result()->shape().rank();
  }
  return name != "stablehlo.batch_norm_inference";
}

std::vector<PropagationDirection> DirectionsAtStep(int step,
                                                   const OpPriorityClass& op,
                                                   const OpShardingRule& rule) {
  std::vector<PropagationDirection> directions(
      rule.factors().size(),
      op.kind == Kind::kFixed ? op.direction : PropagationDirection::kNone);
  if (op.kind == Kind::kFixed) return directions;
  for (size_t i = 0; i < directions.size(); ++i) {
    for (int earlier = 0; earlier <= step; ++earlier) {
      directions[i] = Union(directions[i],
                            AddedAtStep(earlier, op, rule.factors()[i].kind));
    }
  }
  return directions;
}

}  // namespace lockstep::internal
