#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/geometry/padding.h"

namespace lockstep::internal {
namespace {

struct Padding {
  std::vector<int64_t> low;
  std::vector<int64_t> high;
  std::vector<int64_t> interior;
};

absl::StatusOr<Padding> PaddingOf(const Op& op) {
  Padding padding;
  ASSIGN_OR_RETURN(padding.low, op.IntegersAttribute("edge_padding_low"));
  ASSIGN_OR_RETURN(padding.high, op.IntegersAttribute("edge_padding_high"));
  ASSIGN_OR_RETURN(padding.interior, op.IntegersAttribute("interior_padding"));
  return padding;
}

// (C3), (C4)
absl::StatusOr<int64_t> PaddedSize(const Op& op, const Padding& padding,
                                   int64_t dim) {
  const int64_t size = op.operand(0)->shape().dim(dim);
  const int64_t interior = padding.interior[dim];
  if (interior < 0) {
    return op.Error(
        absl::StrCat("interior_padding: expected 0 or more for dim ", dim,
                     ", found ", interior));
  }
  int64_t padded;
  if (__builtin_mul_overflow(std::max<int64_t>(size - 1, 0), interior,
                             &padded) ||
      __builtin_add_overflow(padded, size, &padded) ||
      __builtin_add_overflow(padded, padding.low[dim], &padded) ||
      __builtin_add_overflow(padded, padding.high[dim], &padded) ||
      padded < 0) {
    return op.Error(absl::StrCat("dim ", dim, " of size ", size, " with low ",
                                 padding.low[dim], ", high ", padding.high[dim],
                                 ", interior ", interior,
                                 ": expected a result size of 0 or more"));
  }
  return padded;
}

absl::StatusOr<std::vector<Type>> InferPad(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 2));
  RETURN_IF_ERROR(CheckSameElementType(op, 0, 1));  // (C1)
  RETURN_IF_ERROR(CheckRank(op, 1, 0));
  const Shape& operand = op.operand(0)->shape();
  ASSIGN_OR_RETURN(const Padding padding, PaddingOf(op));
  const int64_t rank = operand.rank();  // (C2)
  RETURN_IF_ERROR(CheckOnePerDim(op, "edge_padding_low", padding.low, rank));
  RETURN_IF_ERROR(CheckOnePerDim(op, "edge_padding_high", padding.high, rank));
  RETURN_IF_ERROR(
      CheckOnePerDim(op, "interior_padding", padding.interior, rank));
  Dims dims;
  for (int64_t dim = 0; dim < rank; ++dim) {
    ASSIGN_OR_RETURN(const int64_t size, PaddedSize(op, padding, dim));
    dims.push_back(size);
  }
  ASSIGN_OR_RETURN(Shape shape, ResultShape(op, operand.element_type(), dims));
  return std::vector<Type>{std::move(shape)};
}

absl::Status EvaluatePad(EvaluationContext&, const Op& op,
                         absl::Span<const LiteralView> operands,
                         absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const Padding padding, PaddingOf(op));
  PadInto(operands[0], operands[1].bytes(), padding.low, padding.interior,
          results[0]);
  return absl::OkStatus();
}

// What is padded at one edge and cut at the other moves, though its size stays.
absl::StatusOr<OpShardingRule> PadRule(const Op& op,
                                       const ShardingRuleOptions& options) {
  ASSIGN_OR_RETURN(const Padding padding, PaddingOf(op));
  const Shape& operand = op.operand(0)->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    const bool is_same = padding.low[dim] == 0 && padding.high[dim] == 0 &&
                         padding.interior[dim] == 0;
    rule.Add(operand.dim(dim),
             is_same ? FactorKind::kPassThrough : FactorKind::kPermutation)
        .Operand(0, dim)
        .Result(0, dim)
        .Blocked(options.is_conservative && !is_same);
  }
  return rule.Build();
}

// pad: puts padding_value between the elements and at the edges; negative edge
// padding cuts elements off, after the interior padding.
//   (I1) operand. (I2) padding_value: a scalar. (I3) edge_padding_low.
//   (I4) edge_padding_high. (I5) interior_padding.
REGISTER_OP(OpDef("stablehlo.pad", OpKind::kDataMovement)
                .Assembly(ClausesForm(2, {{"low", "edge_padding_low"},
                                          {"high", "edge_padding_high"},
                                          {"interior", "interior_padding"}}))
                .Infer(InferPad)
                .Evaluate(EvaluatePad)
                .Sharding(PadRule));

}  // namespace
}  // namespace lockstep::internal
