#include "client/partitioning/sharding_constraint.h"

#include <utility>

#include "client/global_arrays/device_put.h"
#include "client/partitioning/mesh_context.h"
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
  return internal::MapWithPrefix<Array>(
      arrays, specs,
      [&](const Array& x, const PartitionSpec* spec) -> absl::StatusOr<Array> {
        if (spec == nullptr) return x;
        return with_sharding_constraint(x, *spec, options);
      });
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
