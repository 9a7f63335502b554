#include "runtime/ops/sharding/custom_call_sharding.h"

#include <optional>
#include <utility>

#include "absl/strings/string_view.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/custom_calls/call_config.h"
#include "runtime/ops/custom_calls/custom_call_target.h"
#include "runtime/ops/sharding/top_k_sharding.h"

namespace lockstep::internal {
namespace {

using OptionalRule = std::optional<OpShardingRule>;

// Elements of the results depend on the operands' elements there, or the target
// promises that it can be split so.
absl::StatusOr<OptionalRule> ShardSameRank(const Op& op, FactorKind kind,
                                           bool is_blocked) {
  const Shape& shape = op.result()->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    auto factor = rule.Add(shape.dim(dim), kind).Blocked(is_blocked);
    for (int i = 0; i < op.operand_count(); ++i) {
      if (op.operand(i)->shape().rank() == shape.rank()) factor.Operand(i, dim);
    }
    for (int i = 0; i < op.result_count(); ++i) {
      if (op.result(i)->shape().rank() == shape.rank()) factor.Result(i, dim);
    }
  }
  return rule.Build();
}

absl::StatusOr<OptionalRule> ElementwiseRule(const Op& op) {
  return ShardSameRank(op, FactorKind::kPassThrough, false);
}

// Whether an op of `region`, or inside its ops, has the value for its state.
bool FeedsRng(const Value* value, const Region& region) {
  for (const auto& op : region.ops()) {
    if (op->name() == "stablehlo.rng_bit_generator" &&
        op->operand(0) == value) {
      return true;
    }
    for (const auto& inner : op->regions()) {
      if (FeedsRng(value, *inner)) return true;
    }
  }
  return false;
}

// The halves of the state of a generator are as whole as it is.
absl::StatusOr<OptionalRule> CombineRule(const Op& op) {
  if (op.parent() != nullptr && FeedsRng(op.result(), *op.parent())) {
    return ShardSameRank(op, FactorKind::kNeedReplication, true);
  }
  return ElementwiseRule(op);
}

bool HasCounts(const Op& op, int operands, int results) {
  return op.operand_count() == operands && op.result_count() == results;
}

// Whether operand 0 and result 0 are matrices of the same dims and `other` has
// a vector for each of them.
bool IsMatrixAndVector(const Op& op, const Value* other) {
  const Shape& matrix = op.operand(0)->shape();
  const int64_t batch = matrix.rank() - 2;
  if (batch < 0 || op.result()->shape().dims() != matrix.dims() ||
      other->shape().rank() != batch + 1) {
    return false;
  }
  return other->shape().dims().subspan(0, batch) ==
         matrix.dims().subspan(0, batch);
}

// (matrices) -> (vectors, values)
absl::StatusOr<OptionalRule> EighRule(const Op& op) {
  if (!HasCounts(op, 1, 2) || !IsMatrixAndVector(op, op.result(1))) {
    return std::nullopt;
  }
  const Shape& matrix = op.operand(0)->shape();
  const int64_t rank = matrix.rank();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < rank; ++dim) {
    auto factor = rule.Add(matrix.dim(dim)).Operand(0, dim).Result(0, dim);
    if (dim < rank - 2) factor.Result(1, dim);
    if (dim == rank - 1) factor.Result(1, dim - 1);
  }
  return rule.Build();
}

// (matrices) -> (matrices, taus), (matrices, taus) -> (matrices)
absl::StatusOr<OptionalRule> HouseholderRule(const Op& op) {
  const bool gives_taus = HasCounts(op, 1, 2);
  if (!gives_taus && !HasCounts(op, 2, 1)) return std::nullopt;
  const Value* taus = gives_taus ? op.result(1) : op.operand(1);
  if (!IsMatrixAndVector(op, taus)) return std::nullopt;
  const Shape& matrix = op.operand(0)->shape();
  const int64_t batch = matrix.rank() - 2;
  ShardingRuleBuilder rule(op);
  const auto add_to_taus = [&](ShardingRuleBuilder::AddedFactor factor,
                               int64_t dim) {
    gives_taus ? factor.Result(1, dim) : factor.Operand(1, dim);
  };
  for (int64_t dim = 0; dim < batch; ++dim) {
    add_to_taus(rule.Add(matrix.dim(dim)).Operand(0, dim).Result(0, dim), dim);
  }
  for (int64_t dim = batch; dim < batch + 2; ++dim) {
    rule.Add(matrix.dim(dim), FactorKind::kNeedReplication)
        .Operand(0, dim)
        .Result(0, dim);
  }
  add_to_taus(rule.Add(taus->shape().dim(batch), FactorKind::kNeedReplication),
              batch);
  return rule.Build();
}

absl::StatusOr<OptionalRule> TopKRule(const Op& op) {
  if (op.operand_count() != 1 || op.operand(0)->shape().rank() == 0) {
    return std::nullopt;
  }
  for (const auto& result : op.results()) {
    if (result->shape().rank() != op.operand(0)->shape().rank()) {
      return std::nullopt;
    }
  }
  return TopKSharding(op);
}

// (inputs, init values) -> (as many results)
absl::StatusOr<OptionalRule> PartialReduceRule(const Op& op) {
  const int count = op.result_count();
  const Shape& input = op.operand(0)->shape();
  const std::optional<int64_t> reduced = FindConfigInteger(op, "reduction_dim");
  if (op.operand_count() != 2 * count || !reduced.has_value() || *reduced < 0 ||
      *reduced >= input.rank()) {
    return std::nullopt;
  }
  for (int i = 0; i < count; ++i) {
    const Shape& result = op.result(i)->shape();
    if (op.operand(i)->shape().dims() != input.dims() ||
        result.rank() != input.rank()) {
      return std::nullopt;
    }
    for (int64_t dim = 0; dim < input.rank(); ++dim) {
      if (dim != *reduced && result.dim(dim) != input.dim(dim)) {
        return std::nullopt;
      }
    }
  }
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < input.rank(); ++dim) {
    auto factor = rule.Add(input.dim(dim)).Operands(0, count, dim);
    if (dim != *reduced) {
      factor.Results(dim);
    } else {
      rule.Add(op.result()->shape().dim(dim), FactorKind::kNeedReplication)
          .Results(dim)
          .Blocked();
    }
  }
  return rule.Build();
}

struct TargetRule {
  absl::string_view target;
  absl::StatusOr<OptionalRule> (*rule)(const Op&);
};
constexpr TargetRule kTargetRules[] = {
    {"ApproxTopK", PartialReduceRule},
    {"Cholesky", ElementwiseRule},
    {"CompactWyHelper", ElementwiseRule},
    {"Eigh", EighRule},
    {"InspectSharding", ElementwiseRule},
    {"InvertDiagBlocksLowerTriangular", ElementwiseRule},
    {"InvertDiagBlocksUpperTriangular", ElementwiseRule},
    {"LayoutConstraint", ElementwiseRule},
    {"MoveToDevice", ElementwiseRule},
    {"MoveToHost", ElementwiseRule},
    {"PartialReduce", PartialReduceRule},
    {"ProductOfElementaryHouseholderReflectors", HouseholderRule},
    {"Qr", HouseholderRule},
    {"QrDecompositionBlock", HouseholderRule},
    {"X64Combine", CombineRule},
    {"X64SplitHigh", ElementwiseRule},
    {"X64SplitLow", ElementwiseRule},
    {"_SPMDInternalOp_MultiPad", ElementwiseRule},
    {"_SPMDInternalOp_MultiRotate", ElementwiseRule},
    {"_SPMDInternalOp_MultiSlice", ElementwiseRule},
    {"_SPMDInternalOp_RotateRight", ElementwiseRule},
    {"_SPMDInternalOp_Wrap", ElementwiseRule},
    {"annotate_device_placement", ElementwiseRule},
    {"mhlo.erf", ElementwiseRule},
    {"mhlo.topk", TopKRule},
    {"xla.megascale.provide_metadata", ElementwiseRule},
};

// Rules that are not custom are remarks of the tool that wrote the program.
absl::StatusOr<OptionalRule> RuleOfUser(const Op& op) {
  const Attribute* attribute = op.attribute("sdy.sharding_rule");
  if (attribute == nullptr) return std::nullopt;
  const auto* text = attribute->As<Attribute::Opaque>();
  if (text == nullptr) {
    return op.Error("sdy.sharding_rule: expected #sdy.op_sharding_rule<..>");
  }
  absl::StatusOr<OpShardingRule> rule = OpShardingRule::Parse(text->text);
  if (!rule.ok()) return op.Error(rule.status().message());
  if (!rule->is_custom()) return std::nullopt;
  const absl::Status fits = rule->CheckFits(op);
  if (!fits.ok()) return fits;
  return *std::move(rule);
}

absl::StatusOr<OptionalRule> CustomCallRule(const Op& op,
                                            const ShardingRuleOptions&) {
  const CustomCallTarget* known = FindCustomCallTarget(op);
  if (known != nullptr && known->sharding) return known->sharding(op);
  absl::StatusOr<OptionalRule> rule_of_user = RuleOfUser(op);
  if (!rule_of_user.ok() || rule_of_user->has_value()) return rule_of_user;
  if (op.operands().empty() || op.results().empty()) return std::nullopt;
  const absl::string_view name = CustomCallTargetName(op);
  for (const TargetRule& target : kTargetRules) {
    if (target.target == name) return target.rule(op);
  }
  return std::nullopt;
}

}  // namespace

OpDef::ShardingRuleFn CustomCallSharding() { return CustomCallRule; }

}  // namespace lockstep::internal
