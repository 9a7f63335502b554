#ifndef LOCKSTEP_RUNTIME_SHARDING_OP_DIRECTIONS_H_
#define LOCKSTEP_RUNTIME_SHARDING_OP_DIRECTIONS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/sharding/compatible_axes.h"

namespace lockstep::internal {

// Which ops are propagated through when (Shardy, op priorities; row Y-16). Each
// of the steps 0 to 4 runs to a fixed point and has all that those before it
// have:
//
//   0  pass-through ops, none of whose operands but scalars is used elsewhere;
//      dynamic_slice and dynamic_update_slice, those too, forward only
//   1  the same, wherever the operands are used
//   2  all ops, along pass-through factors; broadcast_in_dim backward only
//   3  all ops, along all factors; broadcast_in_dim backward only
//   4  everything
inline constexpr int kOpPrioritySteps = 5;

// What the steps tell ops apart by. A value type.
struct OpPriorityClass {
  enum class Kind {
    kPassThrough,  // elementwise, reshape, transpose, moves to a memory, edges
    kDynamicSlice,
    kBroadcast,
    kFixed,  // `direction` at every step
    kOther,
  };
  Kind kind = Kind::kOther;
  PropagationDirection direction = PropagationDirection::kBoth;
  // One of the operands, other than scalars, has other uses.
  bool has_shared_operand = false;
};

// But for has_shared_operand, which the function says. INVALID_ARGUMENT: a
// sdy.propagation_barrier without a direction.
absl::StatusOr<OpPriorityClass> OpPriorityClassOf(const Op& op);

// PropagateOpOptions::is_elementwise of the op.
bool IsElementwiseInPropagation(const Op& op);

// One for each factor of the rule.
std::vector<PropagationDirection> DirectionsAtStep(int step,
                                                   const OpPriorityClass& op,
                                                   const OpShardingRule& rule);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_OP_DIRECTIONS_H_
