#include "runtime/sharding/propagate_op.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/sharding/factor_propagation.h"

namespace lockstep::internal {
namespace {

using Shardings = std::vector<std::optional<TensorSharding>>;

bool AnyOf(const Shardings& updates) {
  return std::any_of(updates.begin(), updates.end(),
                     [](const auto& update) { return update.has_value(); });
}

void Apply(const Shardings& updates, Shardings& shardings) {
  LOCKSTEP_CHECK(updates.size() == shardings.size());
  for (size_t i = 0; i < updates.size(); ++i) {
    if (updates[i].has_value()) shardings[i] = updates[i];
  }
}

std::vector<PropagationDirection> Directions(
    const OpShardingRule& rule, const PropagateOpOptions& options) {
  std::vector<PropagationDirection> directions = options.directions;
  if (directions.empty()) {
    directions.resize(rule.factors().size(), PropagationDirection::kBoth);
  }
  LOCKSTEP_CHECK(directions.size() == rule.factors().size());
  for (const int factor : rule.BlockedFactors()) {
    directions[factor] = PropagationDirection::kNone;
  }
  return directions;
}

// None if `dims` have the axes that there were.
std::optional<TensorSharding> Update(
    const std::optional<TensorSharding>& before, const CommonMesh& mesh,
    std::vector<DimSharding> dims) {
  TensorSharding sharding =
      before.has_value()
          ? *before
          : UnshardedOn(mesh.reference, static_cast<int64_t>(dims.size()),
                        /*is_closed=*/false);
  bool is_changed = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    is_changed |= sharding.dims[i].axes != dims[i].axes;
    sharding.dims[i].axes = std::move(dims[i].axes);
  }
  if (!is_changed) return std::nullopt;
  sharding.mesh = mesh.reference;
  return sharding;
}

Shardings Updates(const OpShardingRule& rule,
                  const std::vector<OpShardingRule::TensorFactors>& tensors,
                  const std::vector<TensorFactorShardings>& projected,
                  const CommonMesh& mesh, const Shardings& before) {
  Shardings updates;
  for (size_t i = 0; i < tensors.size(); ++i) {
    updates.push_back(Update(
        before[i], mesh,
        DimsOfFactors(rule, tensors[i], projected[i], mesh.mesh.abstract())));
  }
  return updates;
}

}  // namespace

bool OpShardingUpdates::Any() const {
  return AnyOf(operands) || AnyOf(results);
}

void OpShardingUpdates::ApplyTo(OpShardings& shardings) const {
  Apply(operands, shardings.operands);
  Apply(results, shardings.results);
}

OpShardingUpdates PropagateOp(const OpShardingRule& rule,
                              const CommonMesh& mesh,
                              const OpShardings& shardings,
                              const PropagateOpOptions& options) {
  const AbstractMesh& axes = mesh.mesh.abstract();
  ShardingProjection projection = ProjectShardings(rule, shardings, axes);
  const std::vector<PropagationDirection> directions =
      Directions(rule, options);
  const FactorPropagationOptions factor_options = {
      .is_elementwise = options.is_elementwise,
      .sub_axes = options.sub_axes,
      .merge = options.merge};
  switch (options.strategy) {
    case PropagationStrategy::kBasic:
      PropagateBasic(rule, directions, axes, projection, factor_options);
      break;
    case PropagationStrategy::kAggressive:
      PropagateAggressive(rule, directions, axes, projection, factor_options);
      break;
    case PropagationStrategy::kMerging:
      PropagateMerging(rule, directions, axes, projection, factor_options);
      break;
  }
  return {.operands = Updates(rule, rule.operands(), projection.operands, mesh,
                              shardings.operands),
          .results = Updates(rule, rule.results(), projection.results, mesh,
                             shardings.results)};
}

}  // namespace lockstep::internal
