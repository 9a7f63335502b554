#include <cstring>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/geometry/start_indices.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferDynamicUpdateSlice(const Op& op) {
  RETURN_IF_ERROR(CheckMinOperandCount(op, 2));
  RETURN_IF_ERROR(CheckSameElementType(op, 1, 0));  // (C2)
  const Shape& operand = op.operand(0)->shape();
  const Shape& update = op.operand(1)->shape();
  RETURN_IF_ERROR(CheckRank(op, 1, operand.rank()));  // (C3)
  RETURN_IF_ERROR(CheckStartIndices(op, 2));          // (C4), (C5)
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    if (update.dim(dim) > operand.dim(dim)) {  // (C6)
      return op.Error(absl::StrCat("update dim ", dim, ": expected at most ",
                                   operand.dim(dim), ", found ",
                                   update.dim(dim)));
    }
  }
  return std::vector<Type>{operand};  // (C1)
}

absl::Status EvaluateDynamicUpdateSlice(
    EvaluationContext&, const Op&, absl::Span<const LiteralView> operands,
    absl::Span<const MutableLiteralView> results) {
  const Shape& operand = operands[0].shape();
  const Shape& update = operands[1].shape();
  std::memcpy(results[0].bytes(), operands[0].bytes(),
              results[0].byte_span().size());
  const Dims starts =
      ClampedStarts(operands.subspan(2), operand.dims(), update.dims());
  const Dims strides = operand.Strides();
  int64_t first = 0;
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    first += starts[dim] * strides[dim];
  }
  const int64_t size = ByteSize(operand.element_type());
  StridedCopy(size, update.dims(), {operands[1].bytes(), update.Strides()},
              {results[0].bytes() + first * size, strides});
  return absl::OkStatus();
}

bool HasConstantStarts(const Op& op) {
  return absl::c_all_of(
      absl::MakeConstSpan(op.operands()).subspan(2),
      [](const Value* index) { return ConstantOf(index) != nullptr; });
}

absl::StatusOr<OpShardingRule> DynamicUpdateSliceRule(
    const Op& op, const ShardingRuleOptions&) {
  const Shape& operand = op.operand(0)->shape();
  const Shape& update = op.operand(1)->shape();
  const FactorKind update_kind = HasConstantStarts(op)
                                     ? FactorKind::kPassThrough
                                     : FactorKind::kNeedReplication;
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    auto factor = rule.Add(operand.dim(dim)).Operand(0, dim).Result(0, dim);
    if (operand.dim(dim) == update.dim(dim)) {
      factor.Operand(1, dim);
    } else {
      rule.Add(update.dim(dim), update_kind).Operand(1, dim);
    }
  }
  return rule.Build();
}

// dynamic_update_slice: the operand with `update` written at start_indices,
// which are clamped so that it lies inside.
//   (I1) operand. (I2) update. (I3) start_indices: integer scalars.
REGISTER_OP(OpDef("stablehlo.dynamic_update_slice", OpKind::kDataMovement)
                .Assembly(ClausesForm(-1, {}))
                .Infer(InferDynamicUpdateSlice)
                .Evaluate(EvaluateDynamicUpdateSlice)
                .Sharding(DynamicUpdateSliceRule));

}  // namespace
}  // namespace lockstep::internal
