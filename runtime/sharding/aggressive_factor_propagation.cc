#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/sharding/factor_propagation.h"

namespace lockstep::internal {
namespace {

// The largest tensor with all axes that a factor is to get, the first of those.
struct Source {
  int64_t tensor = -1;  // operands, then results
  int64_t size = -1;
};

bool BeginsWith(absl::Span<const AxisRef> axes,
                absl::Span<const AxisRef> prefix) {
  return std::ranges::equal(axes, prefix) || IsStrictPrefix(prefix, axes);
}

// The product of the sizes of its factors; the largest number where 64 bits are
// not enough, since rules may come with a program.
int64_t SizeOf(const OpShardingRule& rule,
               const OpShardingRule::TensorFactors& dims) {
  int64_t size = 1;
  for (const OpShardingRule::DimFactors& factors : dims) {
    for (const int factor : factors) {
      if (__builtin_mul_overflow(size, rule.factors()[factor].size, &size)) {
        return std::numeric_limits<int64_t>::max();
      }
    }
  }
  return size;
}

class AggressivePropagation {
 public:
  AggressivePropagation(const OpShardingRule& rule,
                        absl::Span<const PropagationDirection> directions,
                        const AbstractMesh& mesh,
                        ShardingProjection& projection,
                        const FactorPropagationOptions& options)
      : rule_(rule),
        options_(options),
        mesh_(mesh),
        projection_(projection),
        factor_count_(static_cast<int>(rule.factors().size())) {
    for (int i = 0; i < factor_count_; ++i) {
      axes_.push_back(CompatibleMajorAxes(projection, i, directions[i]));
    }
  }

  void Run() {
    const std::vector<int> order = FactorsInOrder();
    for (TensorFactorShardings& result : projection_.results) {
      for (const int factor : order) {
        result.Extend(factor, AxesFor(result, factor, axes_[factor]));
      }
    }
    for (TensorFactorShardings& operand : projection_.operands) {
      for (const int factor : order) {
        operand.Extend(factor, AxesForOperand(operand, factor));
      }
    }
  }

 private:
  std::vector<Source> Sources() const {
    std::vector<Source> sources(factor_count_);
    int64_t index = 0;
    const auto add = [&](const TensorFactorShardings& tensor,
                         const OpShardingRule::TensorFactors& dims) {
      const int64_t size = SizeOf(rule_, dims);
      for (int i = 0; i < factor_count_; ++i) {
        const auto& sharding = tensor.factors[i];
        if (!sharding.has_value() || axes_[i].empty() ||
            !BeginsWith(sharding->axes, axes_[i])) {
          continue;
        }
        if (size > sources[i].size) sources[i] = {index, size};
      }
      ++index;
    };
    for (size_t i = 0; i < projection_.operands.size(); ++i) {
      add(projection_.operands[i], rule_.operands()[i]);
    }
    for (size_t i = 0; i < projection_.results.size(); ++i) {
      add(projection_.results[i], rule_.results()[i]);
    }
    return sources;
  }

  std::vector<int> FactorsInOrder() const {
    const std::vector<Source> sources = Sources();
    const auto key = [&](int factor) {
      int64_t shards = 1;
      if (options_.is_elementwise) {
        for (const AxisRef& axis : axes_[factor]) shards *= axis.Size(mesh_);
      }
      const Source& source = sources[factor];
      return std::tuple(-source.size, -shards, source.tensor, factor);
    };
    std::vector<int> order(factor_count_);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, key);
    return order;
  }

  // What the tensor can have of `axes` beside what it got along factors before
  // this one; empty if it is no more than it has.
  std::vector<AxisRef> AxesFor(const TensorFactorShardings& tensor, int factor,
                               std::vector<AxisRef> axes) const {
    if (!tensor.factors[factor].has_value()) return {};
    const FactorToShard to_shard = {.index = factor,
                                    .size = rule_.factors()[factor].size};
    // What the second check shortens must pass the first one too.
    for (std::vector<AxisRef> unchecked; unchecked != axes;) {
      TruncateAxes(
          [&](const AxisRef& axis, int64_t shards_before) {
            return PrefixWithinFactor(axis, tensor, to_shard, shards_before,
                                      mesh_);
          },
          options_.sub_axes, mesh_, axes);
      if (!IsStrictPrefix(tensor.factors[factor]->axes, axes)) return {};
      unchecked = axes;
      TruncateAxes(
          [&](const AxisRef& axis, int64_t) {
            return PrefixAcrossFactors(axis, tensor, factor);
          },
          options_.sub_axes, mesh_, axes);
    }
    return axes;
  }

  std::vector<AxisRef> AxesForOperand(const TensorFactorShardings& operand,
                                      int factor) const {
    std::vector<AxisRef> axes = AxesFor(operand, factor, axes_[factor]);
    if (!options_.is_elementwise) return axes;
    for (const TensorFactorShardings& result : projection_.results) {
      const auto& sharding = result.factors[factor];
      if (sharding.has_value() && IsStrictPrefix(sharding->axes, axes)) {
        // Their last sub-axis may be one that the operand cannot have:
        // "a":(1)2 of size 6 also begins "a":(1)3.
        axes = AxesFor(operand, factor, sharding->axes);
      }
    }
    return axes;
  }

  const OpShardingRule& rule_;
  const FactorPropagationOptions& options_;
  const AbstractMesh& mesh_;
  ShardingProjection& projection_;
  const int factor_count_;
  // For each factor, what its tensors agree on.
  std::vector<std::vector<AxisRef>> axes_;
};

}  // namespace

void PropagateAggressive(const OpShardingRule& rule,
                         absl::Span<const PropagationDirection> directions,
                         const AbstractMesh& mesh,
                         ShardingProjection& projection,
                         const FactorPropagationOptions& options) {
  AggressivePropagation(rule, directions, mesh, projection, options).Run();
}

}  // namespace lockstep::internal
