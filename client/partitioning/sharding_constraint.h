#ifndef LOCKSTEP_CLIENT_PARTITIONING_SHARDING_CONSTRAINT_H_
#define LOCKSTEP_CLIENT_PARTITIONING_SHARDING_CONSTRAINT_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/global_arrays/make_array.h"
#include "client/partitioning/match_sharding_rule.h"
#include "client/partitioning/mesh_context.h"
#include "client/tracer/holds_tensors.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/logical_axes.h"

// Constraints on values, over the mesh in scope (mesh_context.h).
//
// Outside of programs an array that is laid out otherwise is put there
// (device_put), for which data may move between hosts, and all hosts of the
// mesh make the same calls.
//
// In a program over whole arrays (jit), whose mesh is in scope, they say how
// the value is split; its shards are moved where need be. In a mapped function,
// whose copies have values of their own, they are errors, unless no mesh is in
// scope.

namespace lockstep {
namespace internal {

// A leaf that cannot be constrained is poisoned, all of them where the rules
// are no prefix.
Tree<Tensor> ConstrainedTensors(const Tree<Tensor>& tensors,
                                const Tree<RuleOrSpec>& rules,
                                const SourceLocation& place);

}  // namespace internal

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
  requires(!internal::kHoldsTensors<T>)
auto with_sharding_constraint(const T& arrays, const Specs& specs,
                              const ConstraintOptions& options = {}) {
  return internal::CallOnTree<Array>(arrays, [&](const Tree<Array>& tree) {
    return with_sharding_constraint(
        tree, internal::TreeOf<PartitionSpec>(specs), options);
  });
}

// L-3 in a program. UNCONSTRAINED dimensions are left to propagation. A wrong
// one poisons the result.
Tensor with_sharding_constraint(
    const Tensor& x, const PartitionSpec& spec,
    SourceLocation place = SourceLocation::current());
Tensor with_sharding_constraint(
    const Tensor& x, const NamedSharding& sharding,
    SourceLocation place = SourceLocation::current());
// S-7: the same of the leaves of a tree, by a tree prefix of rules, specs and
// null, which are matched as by match_sharding_rule.
template <internal::ContainerOf<Tensor> T, typename Rules>
  requires internal::kHoldsTensors<T>
T with_sharding_constraint(const T& tensors, const Rules& rules,
                           SourceLocation place = SourceLocation::current()) {
  return *internal::CallOnTree<Tensor>(
      tensors, [&](const Tree<Tensor>& tree) -> absl::StatusOr<Tree<Tensor>> {
        return internal::ConstrainedTensors(
            tree, internal::TreeOf<RuleOrSpec>(rules), place);
      });
}
// S-8: the constraint that the mesh in scope has for the name; the value as it
// is where there is none.
template <typename T>
  requires internal::kHoldsTensors<T>
T with_sharding_annotation(const T& tensors, const std::string& name,
                           SourceLocation place = SourceLocation::current()) {
  const AnnotationShardings* annotations = global_annotation_shardings();
  if (annotations == nullptr) return tensors;
  const auto found = annotations->find(name);
  if (found == annotations->end()) return tensors;
  return *internal::CallOnTree<Tensor>(
      tensors, [&](const Tree<Tensor>& tree) -> absl::StatusOr<Tree<Tensor>> {
        return internal::ConstrainedTensors(tree, found->second, place);
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
// In a program, also on processors.
Tensor with_logical_constraint(
    const Tensor& x, const std::optional<LogicalAxisNames>& names,
    LogicalConstraintFallback fallback =
        LogicalConstraintFallback::kAxisIsUnsharded,
    SourceLocation place = SourceLocation::current());

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_PARTITIONING_SHARDING_CONSTRAINT_H_
