#include <vector>

#include "absl/algorithm/container.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferReverse(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   op.IntegersAttribute("dimensions"));
  RETURN_IF_ERROR(
      CheckDistinctDims(op, "dimensions", dims, op.operand(0)->shape().rank()));
  return std::vector<Type>{op.operand(0)->type()};  // (C1)
}

absl::Status EvaluateReverse(EvaluationContext&, const Op& op,
                             absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   op.IntegersAttribute("dimensions"));
  const Shape& shape = operands[0].shape();
  if (shape.element_count() == 0) return absl::OkStatus();
  Dims strides = shape.Strides();
  int64_t first = 0;
  for (int64_t dim : dims) {
    first += strides[dim] * (shape.dim(dim) - 1);
    strides[dim] = -strides[dim];
  }
  const int64_t size = ByteSize(shape.element_type());
  StridedCopy(size, shape.dims(), {operands[0].bytes() + first * size, strides},
              {results[0].bytes(), shape.Strides()});
  return absl::OkStatus();
}

absl::StatusOr<OpShardingRule> ReverseRule(const Op& op,
                                           const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   op.IntegersAttribute("dimensions"));
  const Shape& shape = op.result()->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const bool is_reversed = absl::c_linear_search(dims, dim);
    rule.Add(shape.dim(dim),
             is_reversed ? FactorKind::kPermutation : FactorKind::kPassThrough)
        .Everywhere(dim);
  }
  return rule.Build();
}

// reverse: the order of elements along `dimensions` turned round.
//   (I1) operand. (I2) dimensions. (C2, C3) distinct dimensions of the operand.
REGISTER_OP(OpDef("stablehlo.reverse", OpKind::kDataMovement)
                .Assembly(ClausesForm(1, {{"dims", "dimensions"}},
                                      WrittenTypes::kSame))
                .Infer(InferReverse)
                .Evaluate(EvaluateReverse)
                .Sharding(ReverseRule));

}  // namespace
}  // namespace lockstep::internal
