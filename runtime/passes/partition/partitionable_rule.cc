#include "runtime/passes/partition/partitionable_rule.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/geometry/convolution_dimensions.h"
#include "runtime/ops/geometry/indexed_windows.h"
#include "runtime/passes/partition/combiner.h"
#include "runtime/passes/partition/dim_reads.h"
#include "runtime/passes/partition/local_reduce.h"

namespace lockstep::internal {
namespace {

bool IsIn(const OpShardingRule::TensorFactors& tensor, int factor) {
  return std::any_of(tensor.begin(), tensor.end(), [&](const auto& dim) {
    return std::find(dim.begin(), dim.end(), factor) != dim.end();
  });
}

void Append(const std::vector<int>& factors, std::vector<int>& all) {
  all.insert(all.end(), factors.begin(), factors.end());
}

// Those of the update where it is smaller than the operand.
std::vector<int> UpdateFactors(const Op& op, const OpShardingRule& rule) {
  std::vector<int> factors;
  const Shape& operand = op.operand(0)->shape();
  const Shape& update = op.operand(1)->shape();
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    if (operand.dim(dim) == update.dim(dim)) continue;
    Append(rule.operands()[1][dim], factors);
  }
  return factors;
}

// Partial results of reductions become one by a combiner of their type.
bool HasCombiner(const Op& op) {
  const ElementType type = op.result()->shape().element_type();
  return op.result_count() == 1 &&
         op.operand(0)->shape().element_type() == type &&
         CombinerOf(op.region(), type).has_value();
}

bool Contains(const std::vector<int64_t>& dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

// Along a dim of the inputs, indices find the shard of an update of one
// element, but not the parts of a larger one.
absl::StatusOr<std::vector<int>> ScatterFactors(const Op& op,
                                                const OpShardingRule& rule) {
  ASSIGN_OR_RETURN(const IndexedWindows windows, ScatterWindowsOf(op));
  std::vector<int> factors;
  if (!HasCombiner(op)) factors = rule.FactorsOfKind(FactorKind::kReduction);
  for (int64_t dim = 0; dim < op.operand(0)->shape().rank(); ++dim) {
    const bool is_indexed = Contains(windows.index_map, dim);
    const bool is_inserted = Contains(windows.inserted_dims, dim);
    const bool is_batching = Contains(windows.operand_batching_dims, dim);
    if (!is_batching && is_indexed != is_inserted) {
      Append(rule.operands()[0][dim], factors);
    }
  }
  return factors;
}

absl::StatusOr<std::vector<int>> ConvolutionFactors(
    const Op& op, const OpShardingRule& rule) {
  ASSIGN_OR_RETURN(const ConvolutionParameters parameters,
                   ConvolutionParametersOf(op));
  const ConvolutionDimensions& dims = parameters.dims;
  std::vector<int> factors;
  for (int64_t i = 0; i < dims.spatial_rank(); ++i) {
    const int64_t kernel_dim = dims.rhs.spatial[i];
    const int64_t result_dim = dims.result.spatial[i];
    const auto& input = rule.operands()[0][dims.lhs.spatial[i]];
    const auto& kernel = rule.operands()[1][kernel_dim];
    const auto& result = rule.results()[0][result_dim];
    if (input != kernel || parameters.is_reversed[i]) Append(kernel, factors);
    if (input != result) Append(result, factors);
  }
  return factors;
}

// A spatial dim of the input is split along its major factor alone: where it is
// cut depends on the windows, not on what is left for the other one.
absl::StatusOr<OpShardingRule> WithWholeSpatialDims(
    const Op& convolution, const OpShardingRule& rule) {
  ASSIGN_OR_RETURN(const ConvolutionDimensions dims,
                   ConvolutionDimensionsOf(convolution));
  OpShardingRule::Parts parts{rule.factors(), rule.operands(), rule.results(),
                              rule.is_custom()};
  for (const int64_t dim : dims.lhs.spatial) {
    parts.operands[0][dim].resize(1);
  }
  return OpShardingRule::Create(std::move(parts));
}

// Neighbours exchange parts of what is joined as they do of what is shifted.
absl::StatusOr<OpShardingRule> WithPermutedJoin(const Op& concatenate,
                                                const OpShardingRule& rule) {
  ASSIGN_OR_RETURN(const int64_t dim,
                   concatenate.IntegerAttribute("dimension"));
  OpShardingRule::Parts parts{rule.factors(), rule.operands(), rule.results(),
                              rule.is_custom()};
  for (const int factor : rule.results()[0][dim]) {
    parts.factors[factor].kind = FactorKind::kPermutation;
  }
  return OpShardingRule::Create(std::move(parts));
}

// Along dims whose shards have the windows that they need, or get them, the
// operand and the source have one factor.
absl::StatusOr<OpShardingRule> WithSourcesBesideWindows(
    const Op& select_and_scatter, const OpShardingRule& rule) {
  ASSIGN_OR_RETURN(
      const std::vector<DimRead> reads,
      DimReadsOf(select_and_scatter, OperandShapes(select_and_scatter)));
  OpShardingRule::Parts parts{
      {}, rule.operands(), rule.results(), rule.is_custom()};
  for (const DimRead& read : reads) {
    parts.operands[1][read.dim] = parts.operands[0][read.dim];
  }
  // Those that are left, numbered anew.
  std::vector<int> numbers(rule.factors().size(), -1);
  const auto renumber = [&](OpShardingRule::TensorFactors& tensor) {
    for (OpShardingRule::DimFactors& dim : tensor) {
      for (int& factor : dim) {
        if (numbers[factor] == -1) {
          numbers[factor] = static_cast<int>(parts.factors.size());
          parts.factors.push_back(rule.factors()[factor]);
        }
        factor = numbers[factor];
      }
    }
  };
  for (auto& operand : parts.operands) renumber(operand);
  for (auto& result : parts.results) renumber(result);
  return OpShardingRule::Create(std::move(parts));
}

// Devices put together what is reduced along the dim.
absl::StatusOr<OpShardingRule> WithGatheredReduction(
    int64_t dim, const OpShardingRule& rule) {
  OpShardingRule::Parts parts{rule.factors(), rule.operands(), rule.results(),
                              rule.is_custom()};
  for (const int factor : rule.operands()[0][dim]) {
    parts.factors[factor].kind = FactorKind::kPermutation;
  }
  return OpShardingRule::Create(std::move(parts));
}

absl::StatusOr<OpShardingRule> SplittableRule(const Op& op,
                                              const OpShardingRule& rule) {
  if (op.name() == "stablehlo.convolution") {
    return WithWholeSpatialDims(op, rule);
  }
  if (op.name() == "stablehlo.concatenate") return WithPermutedJoin(op, rule);
  if (op.name() == "stablehlo.select_and_scatter") {
    return WithSourcesBesideWindows(op, rule);
  }
  if (op.name() == "stablehlo.reduce") {
    const int64_t dim = SplitReducedDim(op, op.operand(0)->shape());
    if (dim != -1) return WithGatheredReduction(dim, rule);
  }
  return rule;
}

absl::StatusOr<std::vector<int>> UnsplittableFactors(
    const Op& op, const OpShardingRule& rule) {
  const std::string& name = op.name();
  if (name == "stablehlo.convolution") return ConvolutionFactors(op, rule);
  if (name == "stablehlo.dynamic_update_slice") return UpdateFactors(op, rule);
  if (name == "stablehlo.scatter") return ScatterFactors(op, rule);
  std::vector<int> factors;
  if (name == "stablehlo.gather") {
    // Storage types have no sums.
    if (IsSmallFloat(op.result()->shape().element_type())) {
      factors = rule.FactorsOfKind(FactorKind::kReduction);
    }
  } else if (name == "stablehlo.reduce") {
    if (!HasCombiner(op)) factors = rule.FactorsOfKind(FactorKind::kReduction);
  } else if (name != "stablehlo.dot_general" && name != "stablehlo.dot") {
    factors = rule.FactorsOfKind(FactorKind::kReduction);
  }
  return factors;
}

bool IsInAny(const std::vector<OpShardingRule::TensorFactors>& tensors,
             int factor) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [&](const auto& tensor) { return IsIn(tensor, factor); });
}

// Without a sum, all of a dim of operands that is none of every result goes
// into every element. The elements of a dim of a result alone are made of
// nothing else, as those of a broadcast are, but for a reshape.
std::vector<int> FactorsOfOneSide(const Op& op, const OpShardingRule& rule) {
  const bool is_reshape = op.name() == "stablehlo.reshape";
  std::vector<int> factors;
  for (const int factor : rule.FactorsOfKind(FactorKind::kPassThrough)) {
    const bool is_read = IsInAny(rule.operands(), factor);
    const bool is_kept =
        std::all_of(rule.results().begin(), rule.results().end(),
                    [&](const auto& result) { return IsIn(result, factor); });
    const bool is_made = is_reshape && rule.factors()[factor].size > 1;
    if (is_read ? !is_kept : is_made) factors.push_back(factor);
  }
  return factors;
}

}  // namespace

OpShardingRule WithReplicated(const OpShardingRule& rule,
                              absl::Span<const int> factors) {
  OpShardingRule::Parts parts{rule.factors(), rule.operands(), rule.results(),
                              rule.is_custom()};
  for (const int factor : factors) {
    parts.factors[factor].kind = FactorKind::kNeedReplication;
  }
  absl::StatusOr<OpShardingRule> changed =
      OpShardingRule::Create(std::move(parts));
  LOCKSTEP_CHECK(changed.ok());
  return *std::move(changed);
}

absl::StatusOr<std::optional<OpShardingRule>> PartitionableRule(const Op& op) {
  if (op.def() == nullptr || !op.def()->sharding()) return std::nullopt;
  ASSIGN_OR_RETURN(const std::optional<OpShardingRule> whole,
                   op.def()->sharding()(op, ShardingRuleOptions()));
  if (!whole.has_value() || whole->is_custom()) return whole;
  ASSIGN_OR_RETURN(const OpShardingRule rule, SplittableRule(op, *whole));
  ASSIGN_OR_RETURN(std::vector<int> factors, UnsplittableFactors(op, rule));
  // Of what is read at other places, devices get what they lack.
  ASSIGN_OR_RETURN(const std::vector<DimRead> reads,
                   DimReadsOf(op, OperandShapes(op)));
  for (const int factor : rule.FactorsOfKind(FactorKind::kPermutation)) {
    const bool is_exchanged =
        op.name() == "stablehlo.reduce" ||
        std::any_of(reads.begin(), reads.end(), [&](const DimRead& read) {
          return rule.operands()[read.operand][read.dim].front() == factor;
        });
    if (!is_exchanged) factors.push_back(factor);
  }
  Append(FactorsOfOneSide(op, rule), factors);
  return WithReplicated(rule, factors);
}

}  // namespace lockstep::internal
