#ifndef LOCKSTEP_CLIENT_PARTITIONING_SHARD_AND_GATHER_H_
#define LOCKSTEP_CLIENT_PARTITIONING_SHARD_AND_GATHER_H_

#include <functional>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/global_arrays/make_array.h"
#include "client/partitioning/match_sharding_rule.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/types/shape.h"

namespace lockstep {

using ArrayFunction = std::function<absl::StatusOr<Array>(const Array&)>;

// S-9: trees of functions, one for each leaf of a tree of arrays. All hosts of
// the cluster call them in the same order.
struct ShardAndGatherFns {
  // device_put to the sharding of the leaf; where that is left open, nothing
  // is done.
  Tree<ArrayFunction> shard_fns;
  // The whole value in host memory, on every host of the cluster: undoes the
  // former.
  Tree<ArrayFunction> gather_fns;
};

namespace internal {
absl::StatusOr<ShardAndGatherFns> MakeShardAndGatherFns(
    const Tree<Shape>& shapes, const Tree<RuleOrSpec>& rules, const Mesh& mesh,
    const ArrayOptions& options);
}  // namespace internal

// For arrays that are sharded as match_sharding_rule says, whose errors it has.
// `options` are those of device_put.
template <typename T, typename Rules>
absl::StatusOr<ShardAndGatherFns> make_shard_and_gather_fns(
    const T& tree, const Rules& rules, const Mesh& mesh,
    const ArrayOptions& options = {}) {
  return internal::MakeShardAndGatherFns(internal::ShapesOf(tree),
                                         internal::TreeOf<RuleOrSpec>(rules),
                                         mesh, options);
}

// Each function on its leaf, in the order of a Tree. INVALID_ARGUMENT: the
// trees have different forms. Errors have the path of their leaf before them.
absl::StatusOr<Tree<Array>> apply_shard_and_gather_fns(
    const Tree<ArrayFunction>& fns, const Tree<Array>& arrays);
template <internal::ContainerOf<Array> T>
auto apply_shard_and_gather_fns(const Tree<ArrayFunction>& fns,
                                const T& arrays) {
  return internal::CallOnTree<Array>(arrays, [&](const Tree<Array>& tree) {
    return apply_shard_and_gather_fns(fns, tree);
  });
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_PARTITIONING_SHARD_AND_GATHER_H_
