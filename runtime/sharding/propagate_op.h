#ifndef LOCKSTEP_RUNTIME_SHARDING_PROPAGATE_OP_H_
#define LOCKSTEP_RUNTIME_SHARDING_PROPAGATE_OP_H_

#include <optional>
#include <vector>

#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/common_mesh.h"
#include "runtime/sharding/compatible_axes.h"
#include "runtime/sharding/sharding_projection.h"
#include "runtime/sharding/tensor_merge.h"

namespace lockstep::internal {

// What to do with axes that some of the tensors cannot take
// (factor_propagation.h).
enum class PropagationStrategy {
  kBasic,       // they are propagated to none
  kAggressive,  // they are propagated to the others
  kMerging,     // one tensor gets them from others, as in GSPMD
};

struct PropagateOpOptions {
  PropagationStrategy strategy = PropagationStrategy::kAggressive;
  // One for each factor of the rule; none: kBoth for all.
  std::vector<PropagationDirection> directions;
  // Whether it is an op of one element after the other in Shardy's sense: the
  // element-wise ones without collectives, clamp, select, reshard,
  // propagation_barrier, and bitcast_convert to a type of the same width. A
  // pointwise rule alone does not say so.
  bool is_elementwise = false;
  // Tensors that get axes get whole ones.
  SubAxes sub_axes = SubAxes::kAllowed;
  // Of kMerging.
  TensorMerge merge = {};
};

// Shardings that take the place of those there were; none: as before.
struct OpShardingUpdates {
  std::vector<std::optional<TensorSharding>> operands;
  std::vector<std::optional<TensorSharding>> results;

  bool Any() const;
  void ApplyTo(OpShardings& shardings) const;
  friend bool operator==(const OpShardingUpdates&,
                         const OpShardingUpdates&) = default;
};

// One propagation step through one op (Shardy; row Y-15): gives each tensor the
// axes that others have along the same factors. Axes are only appended to open
// dims, or the last sub-axis of one grows, and nothing is propagated along
// blocked factors. A tensor without a sharding is fully open; one that is
// updated refers to the mesh as `mesh` does. Nothing else of a sharding
// changes; priorities are not looked at.
//
// `mesh` is that of FindCommonMesh; the shardings are valid on it and fit to
// the rule.
OpShardingUpdates PropagateOp(const OpShardingRule& rule,
                              const CommonMesh& mesh,
                              const OpShardings& shardings,
                              const PropagateOpOptions& options = {});

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_PROPAGATE_OP_H_
