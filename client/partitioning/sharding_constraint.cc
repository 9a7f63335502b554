#include "client/partitioning/sharding_constraint.h"

#include <utility>

#include "client/global_arrays/device_put.h"
#include "client/partitioning/device_memory.h"
#include "client/partitioning/mesh_context.h"
#include "client/tracer/emit_sharding.h"
#include "client/tracer/trace.h"
#include "client/trees/tree_prefix.h"
#include "runtime/base/status.h"
#include "runtime/mesh/named_sharding.h"

namespace lockstep {
namespace {

constexpr char kConstraint[] = "with_sharding_constraint";

const Mesh* MeshInScope(const internal::Trace& trace) {
  return global_mesh_defined() ? global_mesh() : trace.mesh();
}

internal::ValueOr Constrain(internal::Trace& trace, const Operand& operand,
                            const Mesh& mesh, const PartitionSpec& spec) {
  ASSIGN_OR_RETURN(internal::TraceValue * x, trace.Resolve(operand));
  return internal::EmitShardingConstraint(trace, x, mesh, spec);
}

}  // namespace

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

Tensor with_sharding_constraint(const Tensor& x, const PartitionSpec& spec,
                                SourceLocation place) {
  const Operand operand(x, place);
  return internal::TraceOperation(
      kConstraint, place, {&operand}, [&](internal::Trace& trace) {
        const Mesh* mesh = MeshInScope(trace);
        return mesh == nullptr ? trace.Resolve(operand)
                               : Constrain(trace, operand, *mesh, spec);
      });
}

Tensor with_sharding_constraint(const Tensor& x, const NamedSharding& sharding,
                                SourceLocation place) {
  const Operand operand(x, place);
  return internal::TraceOperation(
      kConstraint, place, {&operand},
      [&](internal::Trace& trace) -> internal::ValueOr {
        RETURN_IF_ERROR(internal::CheckDeviceMemory(sharding));
        return Constrain(trace, operand, sharding.mesh(), sharding.spec());
      });
}

namespace internal {

Tree<Tensor> ConstrainedTensors(const Tree<Tensor>& tensors,
                                const Tree<RuleOrSpec>& rules,
                                const SourceLocation& place) {
  const Trace* trace = Trace::Current();
  const Mesh* mesh = trace == nullptr ? global_mesh() : MeshInScope(*trace);
  if (mesh == nullptr) return tensors;
  const Tree<Shape> shapes = tensors.Transform(
      [](const Tensor& x, const std::string&) { return x.shape(); });
  const auto shardings = MatchShardingRule(rules, shapes, *mesh);
  if (!shardings.ok()) {
    return tensors.Transform([&](const Tensor& x, const std::string&) {
      const Operand operand(x, place);
      return TraceOperation(
          kConstraint, place, {&operand},
          [&](Trace&) -> ValueOr { return shardings.status(); });
    });
  }
  // A prefix of the tensors, since it was matched.
  return *MapWithPrefix<Tensor>(
      tensors, *shardings,
      [&](const Tensor& x,
          const NamedSharding* sharding) -> absl::StatusOr<Tensor> {
        if (sharding == nullptr) return x;
        return with_sharding_constraint(x, *sharding, place);
      });
}

}  // namespace internal

absl::StatusOr<Array> with_logical_constraint(
    const Array& x, const std::optional<LogicalAxisNames>& names,
    LogicalConstraintFallback fallback, const ArrayOptions& options) {
  ASSIGN_OR_RETURN(const std::optional<PartitionSpec> spec,
                   LogicalConstraintSpec(names, fallback));
  if (!spec.has_value()) return x;
  return with_sharding_constraint(x, *spec,
                                  {.except_on_cpus = true, .array = options});
}

Tensor with_logical_constraint(const Tensor& x,
                               const std::optional<LogicalAxisNames>& names,
                               LogicalConstraintFallback fallback,
                               SourceLocation place) {
  const Operand operand(x, place);
  return internal::TraceOperation(
      "with_logical_constraint", place, {&operand},
      [&](internal::Trace& trace) -> internal::ValueOr {
        ASSIGN_OR_RETURN(const std::optional<PartitionSpec> spec,
                         LogicalConstraintSpec(names, fallback));
        const Mesh* mesh = MeshInScope(trace);
        if (!spec.has_value() || mesh == nullptr) return trace.Resolve(operand);
        return Constrain(trace, operand, *mesh, *spec);
      });
}

}  // namespace lockstep
