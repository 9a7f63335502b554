#include "runtime/passes/partition/choose_shardings.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/passes/partition/local_random.h"
#include "runtime/passes/partition/partitionable_rule.h"
#include "runtime/passes/partition/split_read.h"

namespace lockstep::internal {
namespace {

int64_t ElementsOf(const Value* value) {
  return value->type().is_tensor() ? value->shape().element_count() : 1;
}

// Factors in a dim with others that their axes do not divide: shards of the dim
// would not be products of shards of its factors.
std::vector<int> UnevenFactors(const OpShardingRule& rule,
                               const OpReshards& chosen,
                               const AbstractMesh& mesh) {
  std::vector<int> uneven;
  const auto visit =
      [&](const std::vector<OpShardingRule::TensorFactors>& maps,
          const std::vector<std::optional<TensorSharding>>& shardings) {
        for (size_t i = 0; i < maps.size(); ++i) {
          const TensorFactorShardings projected =
              ProjectTensor(rule, maps[i], shardings[i], mesh);
          for (const OpShardingRule::DimFactors& dim : maps[i]) {
            if (dim.size() < 2) continue;
            for (const int factor : dim) {
              int64_t shards = 1;
              const auto& sharding = projected.factors[factor];
              if (!sharding.has_value()) {
                uneven.push_back(factor);
                continue;
              }
              for (const AxisRef& axis : sharding->axes)
                shards *= axis.Size(mesh);
              if (!sharding->overflow.empty() ||
                  rule.factors()[factor].size % shards != 0) {
                uneven.push_back(factor);
              }
            }
          }
        }
      };
  visit(rule.operands(), chosen.shardings.operands);
  visit(rule.results(), chosen.shardings.results);
  return uneven;
}

int64_t ShardsOf(const std::optional<TensorSharding>& sharding,
                 const AbstractMesh& mesh) {
  int64_t shards = 1;
  for (const DimSharding& dim : sharding->dims) shards *= dim.ShardCount(mesh);
  return shards;
}

// What is moved, in elements that a device gets, where windows are exchanged
// along a factor and where its shards are gathered.
struct FactorCost {
  bool is_possible = true;
  double exchanged = 0;
  double gathered = 0;
};

class ExchangeChoice {
 public:
  ExchangeChoice(const Op& op, const OpShardingRule& rule,
                 const OpShardings& given, const CommonMesh& mesh,
                 const OpTraits& traits)
      : op_(op), rule_(rule), given_(given), mesh_(mesh), traits_(traits) {}

  // Factors of `chosen` along which devices read what others have, but rather
  // have all.
  absl::StatusOr<std::vector<int>> FactorsToGather(
      const OpShardings& chosen) const {
    const std::vector<Shape> shapes = OperandShapes(op_);
    ASSIGN_OR_RETURN(const std::vector<DimRead> reads, DimReadsOf(op_, shapes));
    std::map<int, FactorCost> costs;
    for (const DimRead& read : reads) {
      const std::optional<TensorSharding>& operand =
          chosen.operands[read.operand];
      if (operand->dims[read.dim].axes.empty()) continue;
      const int factor = rule_.operands()[read.operand][read.dim].back();
      Add(read, shapes, *operand, factor, costs[factor]);
    }
    std::vector<int> factors;
    for (const auto& [factor, cost] : costs) {
      if (!cost.is_possible || cost.exchanged > cost.gathered) {
        factors.push_back(factor);
      }
    }
    return factors;
  }

 private:
  void Add(const DimRead& read, const std::vector<Shape>& shapes,
           const TensorSharding& operand, int factor, FactorCost& cost) const {
    const AbstractMesh& mesh = mesh_.mesh.abstract();
    const DimSharding& dim = operand.dims[read.dim];
    const std::optional<SplitRead> split =
        SplitReadOf(read, op_, shapes, dim.axes, mesh);
    if (!split.has_value()) {
      cost.is_possible = false;
      return;
    }
    const auto shards = static_cast<double>(dim.ShardCount(mesh));
    const auto size = static_cast<double>(shapes[read.operand].dim(read.dim));
    const auto elements =
        static_cast<double>(shapes[read.operand].element_count()) /
        static_cast<double>(ShardsOf(operand, mesh));
    cost.exchanged += static_cast<double>(split->plan.SentLength()) * elements *
                      shards / size;
    const std::optional<TensorSharding>& given = given_.operands[read.operand];
    if (!given.has_value() || given->dims[read.dim].axes.empty()) return;
    // There and back as a result, where its axes go to another dim.
    cost.gathered += IsMoved(read.operand, operand, factor)
                         ? (elements + ResultElements()) * (shards - 1) / shards
                         : elements * (shards - 1);
  }

  // Those of a shard, with its padding.
  double ResultElements() const {
    const Shape& shape = op_.result(0)->shape();
    const std::optional<TensorSharding>& given = given_.results[0];
    double elements = 1;
    for (int64_t i = 0; i < shape.rank(); ++i) {
      const int64_t shards =
          given.has_value() ? given->dims[i].ShardCount(mesh_.mesh.abstract())
                            : 1;
      elements *= static_cast<double>((shape.dim(i) + shards - 1) / shards);
    }
    return elements;
  }

  // Whether the operand has as many shards if the factor has none.
  bool IsMoved(int operand, const TensorSharding& chosen, int factor) const {
    const AbstractMesh& mesh = mesh_.mesh.abstract();
    const OpReshards other = ChooseOpShardings(WithReplicated(rule_, {factor}),
                                               mesh_, given_, traits_);
    return ShardsOf(other.shardings.operands[operand], mesh) >=
           ShardsOf(chosen, mesh);
  }

  const Op& op_;
  const OpShardingRule& rule_;
  const OpShardings& given_;
  const CommonMesh& mesh_;
  const OpTraits& traits_;
};

// The first dim of the bits, where its shards have counters of their own.
void SplitRandomBits(const Op& op, const OpShardings& given,
                     const AbstractMesh& mesh, OpReshards& chosen) {
  const std::optional<TensorSharding>& bits = given.results[1];
  if (!bits.has_value() || bits->dims.empty() ||
      !CanSplitRandomBits(op, bits->dims[0].ShardCount(mesh))) {
    return;
  }
  chosen.shardings.results[1]->dims[0].axes = bits->dims[0].axes;
}

}  // namespace

absl::StatusOr<OpReshards> ChooseShardings(const Op& op,
                                           const OpShardings& given,
                                           const CommonMesh& mesh) {
  OpTraits traits;
  std::vector<int64_t> operand_ranks, result_ranks;
  for (const Value* operand : op.operands()) {
    traits.operand_elements.push_back(ElementsOf(operand));
    operand_ranks.push_back(RankOf(operand->type()));
  }
  for (const auto& result : op.results()) {
    traits.result_elements.push_back(ElementsOf(result.get()));
    result_ranks.push_back(RankOf(result->type()));
  }
  traits.is_reshape = op.name() == "stablehlo.reshape";
  if (op.name() == "stablehlo.rng_bit_generator") {
    OpReshards chosen = UnshardedOp(mesh, given, operand_ranks, result_ranks);
    SplitRandomBits(op, given, mesh.mesh.abstract(), chosen);
    return chosen;
  }
  ASSIGN_OR_RETURN(std::optional<OpShardingRule> rule, PartitionableRule(op));
  if (!rule.has_value()) {
    return UnshardedOp(mesh, given, operand_ranks, result_ranks);
  }
  while (true) {
    OpReshards chosen = ChooseOpShardings(*rule, mesh, given, traits);
    std::vector<int> whole = UnevenFactors(*rule, chosen, mesh.mesh.abstract());
    if (whole.empty() && !rule->is_custom()) {
      ASSIGN_OR_RETURN(whole, ExchangeChoice(op, *rule, given, mesh, traits)
                                  .FactorsToGather(chosen.shardings));
    }
    if (whole.empty()) return chosen;
    // Each time one factor fewer may be sharded.
    rule = WithReplicated(*rule, whole);
  }
}

}  // namespace lockstep::internal
