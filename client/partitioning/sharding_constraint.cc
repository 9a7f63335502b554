#include "client/partitioning/sharding_constraint.h"

#include <string>
#include <utility>
#include <vector>

#include "client/global_arrays/device_put.h"
#include "client/partitioning/mesh_context.h"
#include "client/trees/tree_map.h"
#include "client/trees/tree_prefix.h"
#include "runtime/base/status.h"
#include "runtime/mesh/named_sharding.h"

namespace lockstep {

absl::StatusOr<Array> with_sharding_constraint(
    const Array& x, const PartitionSpec& spec,
    const ConstraintOptions& options) {
  const Mesh* mesh = global_mesh();
  if (mesh == nullptr || mesh->size() <= 1) return x;
  if (options.except_on_cpus && mesh->devices()[0].platform == "cpu") return x;
  ASSIGN_OR_RETURN(const NamedSharding sharding,
                   NamedSharding::Create(*mesh, spec));
  return device_put(x, sharding, options.array);
}

absl::StatusOr<Tree<Array>> with_sharding_constraint(
    const Tree<Array>& arrays, const Tree<PartitionSpec>& specs,
    const ConstraintOptions& options) {
  using Target = std::optional<PartitionSpec>;
  const Tree<Target> prefix =
      tree_map([](const PartitionSpec& spec) { return Target(spec); }, specs);
  ASSIGN_OR_RETURN(const Tree<Target> targets,
                   internal::BroadcastPrefix(prefix, arrays, Target()));
  std::vector<Target> of_leaves;  // also where there is none
  targets.Transform([&](const Target& target, const std::string&) {
    of_leaves.push_back(target);
    return 0;
  });
  size_t next = 0;
  return tree_map(
      [&](const Array& x) -> absl::StatusOr<Array> {
        const Target& target = of_leaves[next++];
        if (!target.has_value()) return x;
        return with_sharding_constraint(x, *target, options);
      },
      arrays);
}

absl::StatusOr<Array> with_logical_constraint(
    const Array& x, const std::optional<LogicalAxisNames>& names,
    LogicalConstraintFallback fallback, const ArrayOptions& options) {
  ASSIGN_OR_RETURN(const std::optional<PartitionSpec> spec,
                   LogicalConstraintSpec(names, fallback));
  if (!spec.has_value()) return x;
  return with_sharding_constraint(x, *spec,
                                  {.except_on_cpus = true, .array = options});
}

}  // namespace lockstep
