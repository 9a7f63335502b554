#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/sharding/factor_propagation.h"

namespace lockstep::internal {
namespace {

// Of all tensors: what is left after the checks of each.
std::optional<AxisRef> PrefixInTensors(
    const std::vector<TensorFactorShardings>& tensors, FactorToShard factor,
    int64_t shards_before, const AbstractMesh& mesh,
    std::optional<AxisRef> axis) {
  for (const TensorFactorShardings& tensor : tensors) {
    if (!axis.has_value()) return std::nullopt;
    axis = PrefixAcrossFactors(*axis, tensor, factor.index);
    if (!axis.has_value() || !tensor.factors[factor.index].has_value()) {
      continue;
    }
    axis = PrefixWithinFactor(*axis, tensor, factor, shards_before, mesh);
  }
  return axis;
}

void PropagateFactor(FactorToShard factor, PropagationDirection direction,
                     SubAxes sub_axes, const AbstractMesh& mesh,
                     ShardingProjection& projection) {
  std::vector<AxisRef> axes =
      CompatibleMajorAxes(projection, factor.index, direction);
  TruncateAxes(
      [&](const AxisRef& axis, int64_t shards_before) {
        return PrefixInTensors(projection.results, factor, shards_before, mesh,
                               PrefixInTensors(projection.operands, factor,
                                               shards_before, mesh, axis));
      },
      sub_axes, mesh, axes);
  for (auto* tensors : {&projection.operands, &projection.results}) {
    for (TensorFactorShardings& tensor : *tensors) {
      tensor.Extend(factor.index, axes);
    }
  }
}

}  // namespace

void PropagateBasic(const OpShardingRule& rule,
                    absl::Span<const PropagationDirection> directions,
                    const AbstractMesh& mesh, ShardingProjection& projection,
                    const FactorPropagationOptions& options) {
  for (int i = 0; i < static_cast<int>(rule.factors().size()); ++i) {
    PropagateFactor({.index = i, .size = rule.factors()[i].size}, directions[i],
                    options.sub_axes, mesh, projection);
  }
}

}  // namespace lockstep::internal
