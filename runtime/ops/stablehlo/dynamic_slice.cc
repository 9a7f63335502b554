#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/geometry/start_indices.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferDynamicSlice(const Op& op) {
  RETURN_IF_ERROR(CheckMinOperandCount(op, 1));
  RETURN_IF_ERROR(CheckStartIndices(op, 1));  // (C2), (C3)
  const Shape& operand = op.operand(0)->shape();
  ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                   op.IntegersAttribute("slice_sizes"));
  RETURN_IF_ERROR(CheckOnePerDim(op, "slice_sizes", sizes, operand.rank()));
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    if (sizes[dim] < 0 || sizes[dim] > operand.dim(dim)) {  // (C4)
      return op.Error(absl::StrCat("slice_sizes: expected 0 to ",
                                   operand.dim(dim), " for dim ", dim,
                                   ", found ", sizes[dim]));
    }
  }
  return std::vector<Type>{Shape(operand.element_type(), sizes)};  // (C5)
}

absl::Status EvaluateDynamicSlice(
    EvaluationContext&, const Op&, absl::Span<const LiteralView> operands,
    absl::Span<const MutableLiteralView> results) {
  const Shape& operand = operands[0].shape();
  const Shape& result = results[0].shape();
  const Dims starts =
      ClampedStarts(operands.subspan(1), operand.dims(), result.dims());
  const Dims strides = operand.Strides();
  int64_t first = 0;
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    first += starts[dim] * strides[dim];
  }
  const int64_t size = ByteSize(result.element_type());
  StridedCopy(size, result.dims(),
              {operands[0].bytes() + first * size, strides},
              {results[0].bytes(), result.Strides()});
  return absl::OkStatus();
}

absl::StatusOr<OpShardingRule> DynamicSliceRule(const Op& op,
                                                const ShardingRuleOptions&) {
  const Shape& operand = op.operand(0)->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    const bool is_whole = operand.dim(dim) == op.result()->shape().dim(dim);
    rule.Add(operand.dim(dim),
             is_whole ? FactorKind::kPassThrough : FactorKind::kNeedReplication)
        .Operand(0, dim)
        .Result(0, dim)
        .Blocked(!is_whole);
  }
  return rule.Build();
}

// dynamic_slice: the box of slice_sizes at start_indices, which are clamped so
// that the box lies inside.
//   (I1) operand. (I2) start_indices: integer scalars. (I3) slice_sizes.
REGISTER_OP(OpDef("stablehlo.dynamic_slice", OpKind::kDataMovement)
                .Assembly(ClausesForm(-1, {{"sizes", "slice_sizes"}}))
                .Infer(InferDynamicSlice)
                .Evaluate(EvaluateDynamicSlice)
                .Sharding(DynamicSliceRule));

}  // namespace
}  // namespace lockstep::internal
