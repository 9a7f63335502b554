#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/evaluation/lane_sorter.h"
#include "runtime/types/indexed_copy.h"

namespace lockstep::internal {
namespace {

// Negative dimensions count from the end.
absl::StatusOr<int64_t> SortDim(const Op& op) {
  const int64_t rank = op.operand(0)->shape().rank();
  ASSIGN_OR_RETURN(const int64_t dim, op.IntegerAttributeOr("dimension", -1));
  if (dim >= -rank && dim < rank) return dim < 0 ? dim + rank : dim;  // (C4)
  return op.Error(absl::StrCat("dimension: expected ", -rank, " to ", rank - 1,
                               ", found ", dim));
}

absl::StatusOr<std::vector<Type>> InferSort(const Op& op) {
  RETURN_IF_ERROR(CheckMinOperandCount(op, 1));
  RETURN_IF_ERROR(CheckRegionCount(op, 1));
  std::vector<Type> arguments;
  for (int i = 0; i < op.operand_count(); ++i) {
    const Shape& shape = op.operand(i)->shape();
    if (shape.dims() != op.operand(0)->shape().dims()) {  // (C3)
      return op.Error(absl::StrCat("operand ", i, ": expected the dims of ",
                                   op.operand(0)->shape().ToString(),
                                   ", found ", shape.ToString()));
    }
    const Type scalar = Shape(shape.element_type(), {});
    arguments.push_back(scalar);
    arguments.push_back(scalar);
  }
  RETURN_IF_ERROR(SortDim(op).status());
  const Type pred = Shape(ElementType::kPred, {});
  RETURN_IF_ERROR(  // (C5)
      CheckRegionArguments(op, "comparator", op.region(), arguments));
  RETURN_IF_ERROR(CheckRegionResults(op, "comparator", op.region(), {pred}));
  return OperandTypes(op);  // (C2)
}

absl::Status EvaluateSort(EvaluationContext& context, const Op& op,
                          absl::Span<const LiteralView> operands,
                          absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const int64_t dim, SortDim(op));
  const Shape& shape = operands[0].shape();
  if (shape.element_count() == 0) return absl::OkStatus();
  LaneSorter sorter(context, op.region(), operands, dim);
  std::vector<int64_t> places = sorter.order();
  RETURN_IF_ERROR(sorter.Sort());
  for (size_t k = 0; k < operands.size(); ++k) {
    const int64_t size = ByteSize(operands[k].shape().element_type());
    Literal sorted(
        Shape(operands[k].shape().element_type(), {shape.element_count()}));
    CopyFromIndices(size, operands[k].bytes(), sorter.order(),
                    sorted.mutable_bytes());
    CopyToIndices(size, sorted.bytes(), places, results[k].bytes());
  }
  return absl::OkStatus();
}

bool HasOneLane(const Shape& shape, int64_t sorted) {
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (dim != sorted && shape.dim(dim) != 1) return false;
  }
  return true;
}

// Blocked where the sorted dim is all there is to shard.
absl::StatusOr<OpShardingRule> SortRule(const Op& op,
                                        const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const int64_t sorted, SortDim(op));
  const Shape& shape = op.operand(0)->shape();
  const bool is_only_dim = HasOneLane(shape, sorted);
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    const bool is_sorted = dim == sorted;
    rule.Add(shape.dim(dim), is_sorted ? FactorKind::kNeedReplication
                                       : FactorKind::kPassThrough)
        .Everywhere(dim)
        .Blocked(is_sorted && is_only_dim);
  }
  return rule.Build();
}

// sort: the elements along `dimension` in the comparator's order, all inputs
// in the same one. Always stable.
//   (I1) inputs: tensors of one shape. (I2) dimension. (I3) is_stable.
//   (I4) comparator: (lhs, rhs of each input) -> whether lhs goes first.
REGISTER_OP(OpDef("stablehlo.sort", OpKind::kSort)
                .Infer(InferSort)
                .Evaluate(EvaluateSort)
                .Sharding(SortRule));

}  // namespace
}  // namespace lockstep::internal
