#ifndef LOCKSTEP_RUNTIME_SHARDING_FACTOR_PROPAGATION_H_
#define LOCKSTEP_RUNTIME_SHARDING_FACTOR_PROPAGATION_H_

#include "absl/types/span.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/sharding/compatible_axes.h"
#include "runtime/sharding/sharding_projection.h"
#include "runtime/sharding/tensor_merge.h"

namespace lockstep::internal {

// Extends the shardings of factors to those of other tensors of the same op
// (Shardy, basic and aggressive factor propagation; GSPMD). `directions` has an
// entry for each factor of the rule, to which the projection belongs. Pure
// functions.

// What else is said of a propagation.
struct FactorPropagationOptions {
  // Of an op in Shardy's sense (PropagateOpOptions); the basic one does not
  // ask.
  bool is_elementwise = false;
  SubAxes sub_axes = SubAxes::kAllowed;
  TensorMerge merge = {};  // only the merging one asks
};

// Only what contradicts nothing: a factor is sharded in all tensors along the
// axes that every tensor of the op could have, also one that lacks the factor
// but uses the axis elsewhere.
void PropagateBasic(const OpShardingRule& rule,
                    absl::Span<const PropagationDirection> directions,
                    const AbstractMesh& mesh, ShardingProjection& projection,
                    const FactorPropagationOptions& options = {});

// Also what contradicts in some tensors, there along the factor to be
// preferred: that whose axes come from the largest tensor, then, in an
// elementwise op, that with more shards, then that of the earlier tensor,
// operands first, then the first. In an elementwise op an operand gets no more
// of what is propagated than the results have: where a result refuses axes,
// they do not go from one operand to another.
void PropagateAggressive(const OpShardingRule& rule,
                         absl::Span<const PropagationDirection> directions,
                         const AbstractMesh& mesh,
                         ShardingProjection& projection,
                         const FactorPropagationOptions& options = {});

// The target of a merge gets the axes of its sources, of one after the other:
// all that a source has along their common factors, or none where the two have
// different axes along one, or an axis along different ones. Of a factor that
// cannot have all of them, the target takes what fits. Closed dims and blocked
// factors ask for nothing.
void PropagateMerging(const OpShardingRule& rule,
                      absl::Span<const PropagationDirection> directions,
                      const AbstractMesh& mesh, ShardingProjection& projection,
                      const FactorPropagationOptions& options = {});

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_FACTOR_PROPAGATION_H_
