#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/sharding/factor_propagation.h"

namespace lockstep::internal {
namespace {

TensorFactorShardings& TensorOf(ShardingProjection& projection,
                                OpTensor tensor) {
  return tensor.side == OpTensor::Side::kOperand
             ? projection.operands[tensor.index]
             : projection.results[tensor.index];
}

bool BeginsWith(absl::Span<const AxisRef> axes,
                absl::Span<const AxisRef> prefix) {
  return std::ranges::equal(axes, prefix) || IsStrictPrefix(prefix, axes);
}

// Whether `source` has all axes of `target`.
bool HasAll(const TensorFactorShardings& source,
            const TensorFactorShardings& target) {
  for (size_t i = 0; i < target.factors.size(); ++i) {
    const auto& present = target.factors[i];
    if (!present.has_value() || present->axes.empty()) continue;
    const auto& given = source.factors[i];
    if (!given.has_value() || !BeginsWith(given->axes, present->axes)) {
      return false;
    }
  }
  return true;
}

// None: the two contradict each other.
std::optional<TensorFactorShardings> Merged(
    const OpShardingRule& rule,
    absl::Span<const PropagationDirection> directions, const AbstractMesh& mesh,
    SubAxes sub_axes, const TensorFactorShardings& source,
    const TensorFactorShardings& target) {
  TensorFactorShardings merged = target;
  for (size_t i = 0; i < merged.factors.size(); ++i) {
    const auto& given = source.factors[i];
    const auto& present = merged.factors[i];
    if (directions[i] == PropagationDirection::kNone || !given.has_value() ||
        !present.has_value() || present->is_closed ||
        BeginsWith(present->axes, given->axes)) {
      continue;
    }
    if (!IsStrictPrefix(present->axes, given->axes)) return std::nullopt;
    const int index = static_cast<int>(i);
    const bool is_free =
        std::ranges::all_of(given->axes, [&](const auto& axis) {
          return PrefixAcrossFactors(axis, merged, index) == axis;
        });
    if (!is_free) return std::nullopt;
    std::vector<AxisRef> axes = given->axes;
    const FactorToShard factor = {.index = index,
                                  .size = rule.factors()[i].size};
    TruncateAxes(
        [&](const AxisRef& axis, int64_t shards_before) {
          return PrefixWithinFactor(axis, merged, factor, shards_before, mesh);
        },
        sub_axes, mesh, axes);
    merged.Extend(index, axes);
  }
  return merged;
}

}  // namespace

void PropagateMerging(const OpShardingRule& rule,
                      absl::Span<const PropagationDirection> directions,
                      const AbstractMesh& mesh, ShardingProjection& projection,
                      const FactorPropagationOptions& options) {
  TensorFactorShardings& target = TensorOf(projection, options.merge.target);
  for (const OpTensor& tensor : options.merge.sources) {
    const TensorFactorShardings& source = TensorOf(projection, tensor);
    if (!options.merge.combines && !HasAll(source, target)) continue;
    std::optional<TensorFactorShardings> merged =
        Merged(rule, directions, mesh, options.sub_axes, source, target);
    if (merged.has_value()) target = *std::move(merged);
  }
}

}  // namespace lockstep::internal
