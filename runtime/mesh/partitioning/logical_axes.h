#ifndef LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOGICAL_AXES_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOGICAL_AXES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/logical_axis_names.h"

namespace lockstep {

// Dimensions with this logical name may be sharded over these mesh axes; null:
// they are not sharded.
struct LogicalAxisRule {
  std::string name;
  SpecEntry mesh_axes;
  friend bool operator==(const LogicalAxisRule&,
                         const LogicalAxisRule&) = default;
};

// In the order in which they are tried. A name may have several.
using LogicalAxisRules = std::vector<LogicalAxisRule>;

// T-18: rules for transformers over the mesh axes 'data' and 'model', with
// activations and parameters sharded in one dimension or in two, and
// `additional` behind them. INVALID_ARGUMENT: numbers other than 1 and 2.
absl::StatusOr<LogicalAxisRules> StandardLogicalAxisRules(
    int64_t activation_partitioning_dims = 1,
    int64_t parameter_partitioning_dims = 1,
    const LogicalAxisRules& additional = {});

// T-19: the spec of an array whose dimensions have these logical names. Rules
// are tried in order: one gives its mesh axes to the dimension with its name,
// if that has none yet and none of the axes is taken. Names without a rule that
// applies are not sharded; entries that are no names stay. None: none.
// INVALID_ARGUMENT: a name occurs twice.
absl::StatusOr<std::optional<PartitionSpec>> LogicalToMeshAxes(
    const std::optional<LogicalAxisNames>& names,
    const LogicalAxisRules& rules);
absl::StatusOr<PartitionSpec> LogicalToMeshAxes(const LogicalAxisNames& names,
                                                const LogicalAxisRules& rules);

// T-22: what becomes of a constraint with names that no rule applies to.
enum class LogicalConstraintFallback {
  kAxisIsUnsharded,  // their dimensions are not sharded
  kRaiseError,       // INVALID_ARGUMENT
  kNoConstraint,     // there is no constraint
};

// T-22: the spec of a constraint by logical names; none: there is no
// constraint, and so without rules or names. Errors of LogicalToMeshAxes.
absl::StatusOr<std::optional<PartitionSpec>> LogicalConstraintSpec(
    const std::optional<LogicalAxisNames>& names, const LogicalAxisRules& rules,
    LogicalConstraintFallback fallback =
        LogicalConstraintFallback::kAxisIsUnsharded);
// The same by the rules in scope (logical_axis_rules_context.h).
absl::StatusOr<std::optional<PartitionSpec>> LogicalConstraintSpec(
    const std::optional<LogicalAxisNames>& names,
    LogicalConstraintFallback fallback =
        LogicalConstraintFallback::kAxisIsUnsharded);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOGICAL_AXES_H_
