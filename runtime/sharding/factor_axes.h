#ifndef LOCKSTEP_RUNTIME_SHARDING_FACTOR_AXES_H_
#define LOCKSTEP_RUNTIME_SHARDING_FACTOR_AXES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {

// One sharding for each factor of a rule, in all tensors alike, and the ways to
// choose it (Shardy, explicit reshards). Pure functions.

// For each factor, its axes, major to minor.
using FactorAxes = std::vector<std::vector<AxisRef>>;

// An op of which the factors are to be sharded.
struct FactoredOp {
  struct Tensor {
    OpShardingRule::TensorFactors dims;
    TensorFactorShardings shardings;
    int64_t elements = 1;

    bool is_scalar() const { return dims.empty(); }
  };

  const OpShardingRule& rule;
  const AbstractMesh& mesh;
  std::vector<Tensor> tensors;  // operands, then results
  // For each factor, axes that it cannot have.
  FactorAxes taken;

  int factor_count() const { return static_cast<int>(rule.factors().size()); }
  FactorAxes Unsharded() const { return FactorAxes(factor_count()); }
  bool IsInAllNonScalarTensors(int factor) const;
  bool HasDimOfSeveralFactors() const;
  // Whether the axes split the factor into its elements.
  bool IsFilled(int factor, const FactorAxes& axes) const;
  // Whether all factors in front of it, in any dim, are filled. The axes of
  // others would skip elements: they are no sharding of the dim.
  bool IsReachable(int factor, const FactorAxes& axes) const;
};

// Leaves each tensor what a sharding of all tensors can have of its axes: not
// what is taken, nothing of an overflow, and along a factor that is not the
// minor-most in all its dims only what divides it.
void KeepWhatAllCanHave(FactoredOp& op);

// Removes the axes of factors that are not reachable.
void RemoveUnreachable(const FactoredOp& op, FactorAxes& axes);

// The axes of the tensors, if the op can run as it is: they are the same along
// each factor, none is used along two factors or is taken, factors that need
// replication have none, and no dim has an overflow.
std::optional<FactorAxes> CompatibleFactorAxes(const FactoredOp& op);

// For an op of two tensors, not counting scalars, without factors that need
// replication and dims of several factors; none for others. The axes of one
// tensor: rather one without sharded permutation factors, then the larger one,
// that with more shards, the first. Factors that it lacks have what the other
// tensor has beside them.
std::optional<FactorAxes> AxesOfPreferredTensor(const FactoredOp& op);

// Adds up the best lists of axes that tensors have along one factor, or
// prefixes of them, as long as they can be had beside those chosen before: that
// of most elements, then of the kind that costs least, then of most shards.
FactorAxes BestFactorAxes(const FactoredOp& op);

// Removes the axes of factors that need replication. Where all tensors but
// scalars have such a factor, its axes go to pass-through factors that all have
// as well, whole axes as far as they divide the factor.
void MoveToBatchingFactors(const FactoredOp& op, FactorAxes& axes);

// For a reshape with an overflow: the axes of the side with more shards, handed
// out one by one on either side to the first factors that they divide, as far
// as both sides agree. Axes that divide no factor are left out, and those that
// would be of one that needs replication.
FactorAxes ReshapeFactorAxes(const FactoredOp& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_FACTOR_AXES_H_
