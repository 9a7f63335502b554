#include "runtime/passes/partition/choose_shardings.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/passes/partition/partitionable_rule.h"

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
  ASSIGN_OR_RETURN(std::optional<OpShardingRule> rule, PartitionableRule(op));
  if (!rule.has_value()) {
    return UnshardedOp(mesh, given, operand_ranks, result_ranks);
  }
  while (true) {
    OpReshards chosen = ChooseOpShardings(*rule, mesh, given, traits);
    const std::vector<int> uneven =
        UnevenFactors(*rule, chosen, mesh.mesh.abstract());
    if (uneven.empty()) return chosen;
    // Each time one factor fewer may be sharded.
    rule = WithReplicated(*rule, uneven);
  }
}

}  // namespace lockstep::internal
