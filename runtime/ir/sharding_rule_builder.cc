#include "runtime/ir/sharding_rule_builder.h"

#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

OpShardingRule::TensorFactors NoFactors(const Type& type) {
  return OpShardingRule::TensorFactors(
      type.is_tensor() ? static_cast<size_t>(type.shape().rank()) : 0);
}

}  // namespace

using AddedFactor = ShardingRuleBuilder::AddedFactor;

void AddedFactor::Append(OpShardingRule::TensorFactors& tensor, int64_t dim) {
  if (tensor.empty()) return;
  LOCKSTEP_CHECK(dim >= 0 && dim < static_cast<int64_t>(tensor.size()));
  if (parts_.factors[factor_].size == 1 && !tensor[dim].empty()) return;
  tensor[dim].push_back(factor_);
}

AddedFactor& AddedFactor::Operand(int operand, int64_t dim) {
  Append(parts_.operands[operand], dim);
  return *this;
}

AddedFactor& AddedFactor::Operands(int first, int count, int64_t dim) {
  for (int i = 0; i < count; ++i) Operand(first + i, dim);
  return *this;
}

AddedFactor& AddedFactor::Result(int result, int64_t dim) {
  Append(parts_.results[result], dim);
  return *this;
}

AddedFactor& AddedFactor::Results(int64_t dim) {
  for (auto& result : parts_.results) Append(result, dim);
  return *this;
}

AddedFactor& AddedFactor::Everywhere(int64_t dim) {
  Operands(0, static_cast<int>(parts_.operands.size()), dim);
  return Results(dim);
}

AddedFactor& AddedFactor::Blocked(bool is_blocked) {
  parts_.factors[factor_].is_blocked = is_blocked;
  return *this;
}

ShardingRuleBuilder::ShardingRuleBuilder(const Op& op) : op_(op) {
  for (const Value* operand : op.operands()) {
    parts_.operands.push_back(NoFactors(operand->type()));
  }
  for (const auto& result : op.results()) {
    parts_.results.push_back(NoFactors(result->type()));
  }
}

AddedFactor ShardingRuleBuilder::Add(int64_t size, FactorKind kind) {
  parts_.factors.push_back({.size = size, .kind = kind});
  return AddedFactor(parts_, static_cast<int>(parts_.factors.size()) - 1);
}

absl::StatusOr<OpShardingRule> ShardingRuleBuilder::Build() {
  for (auto* tensors : {&parts_.operands, &parts_.results}) {
    for (auto& tensor : *tensors) {
      for (auto& dim : tensor) {
        if (!dim.empty()) continue;
        dim.push_back(static_cast<int>(parts_.factors.size()));
        parts_.factors.push_back({.size = 1});
      }
    }
  }
  auto rule = OpShardingRule::Create(std::move(parts_));
  if (!rule.ok()) return op_.Error(rule.status().message());
  return rule;
}

}  // namespace lockstep::internal
