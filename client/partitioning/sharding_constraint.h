#ifndef LOCKSTEP_CLIENT_PARTITIONING_SHARDING_CONSTRAINT_H_
#define LOCKSTEP_CLIENT_PARTITIONING_SHARDING_CONSTRAINT_H_

#include <optional>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/global_arrays/make_array.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/logical_axes.h"

// Constraints on arrays outside of programs: an array that is laid out
// otherwise is put there (device_put), for which data may move between hosts,
// and all hosts of the mesh make the same calls. The mesh is the one in scope
// (mesh_context.h). There are none on values of traced functions, whose copies
// have values of their own.

namespace lockstep {

struct ConstraintOptions {
  // T-5: arrays are left as they are where the first device of the mesh is a
  // processor.
  bool except_on_cpus = false;
  ArrayOptions array = {};
};

// L-3: the array over the mesh in scope; as it is without one, or where that
// has one device. INVALID_ARGUMENT: the spec names an axis that the mesh lacks,
// or does not fit the array. Errors of device_put. `specs` is a prefix of a
// tree; where it has nothing, leaves stay as they are.
absl::StatusOr<Array> with_sharding_constraint(
    const Array& x, const PartitionSpec& spec,
    const ConstraintOptions& options = {});
absl::StatusOr<Tree<Array>> with_sharding_constraint(
    const Tree<Array>& arrays, const Tree<PartitionSpec>& specs,
    const ConstraintOptions& options = {});
template <internal::ContainerOf<Array> T, typename Specs>
auto with_sharding_constraint(const T& arrays, const Specs& specs,
                              const ConstraintOptions& options = {}) {
  return internal::CallOnTree<Array>(arrays, [&](const Tree<Array>& tree) {
    return with_sharding_constraint(
        tree, internal::TreeOf<PartitionSpec>(specs), options);
  });
}

// T-22: the same by logical names, with the rules in scope
// (logical_axis_rules_context.h), and as of T-5. As it is without rules or
// names. Errors of LogicalConstraintSpec.
absl::StatusOr<Array> with_logical_constraint(
    const Array& x, const std::optional<LogicalAxisNames>& names,
    LogicalConstraintFallback fallback =
        LogicalConstraintFallback::kAxisIsUnsharded,
    const ArrayOptions& options = {});

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_PARTITIONING_SHARDING_CONSTRAINT_H_
