#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// (C2) The shape of input 0, except along `dimension`.
absl::Status CheckOtherDims(const Op& op, int input, int64_t dimension) {
  const Shape& first = op.operand(0)->shape();
  const Shape& shape = op.operand(input)->shape();
  bool fits = shape.rank() == first.rank();
  for (int64_t dim = 0; fits && dim < shape.rank(); ++dim) {
    fits = dim == dimension || shape.dim(dim) == first.dim(dim);
  }
  if (fits) return absl::OkStatus();
  return op.Error(absl::StrCat("operand ", input, ": expected the shape of ",
                               first.ToString(), " except for dim ", dimension,
                               ", found ", shape.ToString()));
}

absl::StatusOr<std::vector<Type>> InferConcatenate(const Op& op) {
  RETURN_IF_ERROR(CheckMinOperandCount(op, 1));  // (C3)
  const Shape& first = op.operand(0)->shape();
  ASSIGN_OR_RETURN(const int64_t dimension, op.IntegerAttribute("dimension"));
  RETURN_IF_ERROR(CheckDim(op, "dimension", dimension, first.rank()));  // (C4)
  Dims dims(first.dims().begin(), first.dims().end());
  for (int i = 1; i < op.operand_count(); ++i) {
    RETURN_IF_ERROR(CheckSameElementType(op, 0, i));  // (C1)
    RETURN_IF_ERROR(CheckOtherDims(op, i, dimension));
    dims[dimension] += op.operand(i)->shape().dim(dimension);
  }
  ASSIGN_OR_RETURN(Shape shape, ResultShape(op, first.element_type(), dims));
  return std::vector<Type>{std::move(shape)};  // (C5), (C6)
}

absl::Status EvaluateConcatenate(EvaluationContext&, const Op& op,
                                 absl::Span<const LiteralView> operands,
                                 absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const int64_t dimension, op.IntegerAttribute("dimension"));
  const Shape& result = results[0].shape();
  const Dims strides = result.Strides();
  const int64_t size = ByteSize(result.element_type());
  std::byte* target = results[0].bytes();
  for (const LiteralView& operand : operands) {
    StridedCopy(size, operand.shape().dims(),
                {operand.bytes(), operand.shape().Strides()},
                {target, strides});
    target += operand.shape().dim(dimension) * strides[dimension] * size;
  }
  return absl::OkStatus();
}

const Op* SliceAt(const Value* value) {
  const Op* op = value->defining_op();
  return op != nullptr && op->name() == "stablehlo.slice" ? op : nullptr;
}

// Whether the operands are slices, or slices and copies of one value: then
// shards exchange with their neighbours only, as for a roll.
bool JoinsSlices(const Op& op) {
  bool all_are_slices = true, any_is_slice = false, have_one_source = true;
  const Value* source = nullptr;
  for (const Value* operand : op.operands()) {
    const Op* slice = SliceAt(operand);
    const Value* from = slice != nullptr ? slice->operand(0) : operand;
    all_are_slices = all_are_slices && slice != nullptr;
    any_is_slice = any_is_slice || slice != nullptr;
    have_one_source = have_one_source && (source == nullptr || source == from);
    source = from;
  }
  return all_are_slices || (any_is_slice && have_one_source);
}

absl::StatusOr<OpShardingRule> ConcatenateRule(
    const Op& op, const ShardingRuleOptions& options) {
  ASSIGN_OR_RETURN(const int64_t dimension, op.IntegerAttribute("dimension"));
  const FactorKind kind =
      JoinsSlices(op) ? FactorKind::kPermutation : FactorKind::kNeedReplication;
  const Shape& result = op.result()->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < result.rank(); ++dim) {
    if (dim != dimension) {
      rule.Add(result.dim(dim)).Everywhere(dim);
    } else if (!options.is_conservative) {
      rule.Add(result.dim(dim), kind).Everywhere(dim);
    }
  }
  return rule.Build();
}

// concatenate: the inputs one after the other along `dimension`.
//   (I1) inputs: at least one. (I2) dimension.
REGISTER_OP(OpDef("stablehlo.concatenate", OpKind::kDataMovement)
                .Assembly(ClausesForm(-1, {{"dim", "dimension",
                                            IntegersClause::kInteger}}))
                .Infer(InferConcatenate)
                .Evaluate(EvaluateConcatenate)
                .Sharding(ConcatenateRule));

}  // namespace
}  // namespace lockstep::internal
