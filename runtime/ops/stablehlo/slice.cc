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

struct SliceRange {
  std::vector<int64_t> starts;
  std::vector<int64_t> limits;
  std::vector<int64_t> strides;
};

absl::StatusOr<SliceRange> RangeOf(const Op& op) {
  SliceRange range;
  ASSIGN_OR_RETURN(range.starts, op.IntegersAttribute("start_indices"));
  ASSIGN_OR_RETURN(range.limits, op.IntegersAttribute("limit_indices"));
  ASSIGN_OR_RETURN(range.strides, op.IntegersAttributeOr(
                                      "strides", std::vector<int64_t>(
                                                     range.starts.size(), 1)));
  return range;
}

absl::Status CheckRange(const Op& op, const SliceRange& range, int64_t dim) {
  const int64_t start = range.starts[dim];
  const int64_t limit = range.limits[dim];
  const int64_t size = op.operand(0)->shape().dim(dim);
  if (start < 0 || start > limit || limit > size) {  // (C3)
    return op.Error(absl::StrCat("dim ", dim,
                                 ": expected 0 <= start <= limit <= ", size,
                                 ", found start ", start, ", limit ", limit));
  }
  if (range.strides[dim] <= 0) {  // (C4)
    return op.Error(absl::StrCat("dim ", dim,
                                 ": expected a stride above 0, found ",
                                 range.strides[dim]));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Type>> InferSlice(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  const Shape& operand = op.operand(0)->shape();
  ASSIGN_OR_RETURN(const SliceRange range, RangeOf(op));
  const int64_t rank = operand.rank();  // (C2)
  RETURN_IF_ERROR(CheckOnePerDim(op, "start_indices", range.starts, rank));
  RETURN_IF_ERROR(CheckOnePerDim(op, "limit_indices", range.limits, rank));
  RETURN_IF_ERROR(CheckOnePerDim(op, "strides", range.strides, rank));
  Dims dims;
  for (int64_t dim = 0; dim < rank; ++dim) {
    RETURN_IF_ERROR(CheckRange(op, range, dim));
    const int64_t extent = range.limits[dim] - range.starts[dim];
    const int64_t stride = range.strides[dim];
    dims.push_back(extent / stride + (extent % stride != 0));  // (C5)
  }
  return std::vector<Type>{Shape(operand.element_type(), dims)};
}

absl::Status EvaluateSlice(EvaluationContext&, const Op& op,
                           absl::Span<const LiteralView> operands,
                           absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const SliceRange range, RangeOf(op));
  const Shape& result = results[0].shape();
  Dims strides = operands[0].shape().Strides();
  int64_t first = 0;
  for (int64_t dim = 0; dim < result.rank(); ++dim) {
    first += range.starts[dim] * strides[dim];
    strides[dim] *= range.strides[dim];
  }
  const int64_t size = ByteSize(result.element_type());
  StridedCopy(size, result.dims(),
              {operands[0].bytes() + first * size, strides},
              {results[0].bytes(), result.Strides()});
  return absl::OkStatus();
}

// "[0:2, 0:3:2]": start, limit and, unless 1, stride of each dimension.
absl::Status ParseRange(AssemblyReader& reader, SliceRange& range) {
  RETURN_IF_ERROR(reader.Expect("["));
  if (reader.TryConsume("]")) return absl::OkStatus();
  do {
    ASSIGN_OR_RETURN(const int64_t start, reader.ParseInteger());
    RETURN_IF_ERROR(reader.Expect(":"));
    ASSIGN_OR_RETURN(const int64_t limit, reader.ParseInteger());
    int64_t stride = 1;
    if (reader.TryConsume(":")) {
      ASSIGN_OR_RETURN(stride, reader.ParseInteger());
    }
    range.starts.push_back(start);
    range.limits.push_back(limit);
    range.strides.push_back(stride);
  } while (reader.TryConsume(","));
  return reader.Expect("]");
}

absl::Status ParseSlice(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperands(reader, state, 1));
  SliceRange range;
  RETURN_IF_ERROR(ParseRange(reader, range));
  state.attributes.Set("start_indices", Attribute::I64Array(range.starts));
  state.attributes.Set("limit_indices", Attribute::I64Array(range.limits));
  state.attributes.Set("strides", Attribute::I64Array(range.strides));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

void PrintSlice(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperands(op.operands());
  writer.Write(" [");
  const SliceRange range = RangeOf(op).value_or(SliceRange());
  for (size_t i = 0; i < range.starts.size(); ++i) {
    writer.Write(absl::StrCat(i == 0 ? "" : ", ", range.starts[i], ":",
                              range.limits[i]));
    if (range.strides[i] != 1) {
      writer.Write(absl::StrCat(":", range.strides[i]));
    }
  }
  writer.Write("]");
  writer.WriteAttributes(op.attributes(),
                         {"start_indices", "limit_indices", "strides"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

absl::StatusOr<OpShardingRule> SliceRule(const Op& op,
                                         const ShardingRuleOptions& options) {
  const Shape& operand = op.operand(0)->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    const bool is_whole = operand.dim(dim) == op.result()->shape().dim(dim);
    rule.Add(operand.dim(dim),
             is_whole ? FactorKind::kPassThrough : FactorKind::kPermutation)
        .Everywhere(dim)
        .Blocked(options.is_conservative && !is_whole);
  }
  return rule.Build();
}

// slice: every strides[d]-th element of dim d from start_indices[d] up to, not
// including, limit_indices[d].
//   (I1) operand. (I2) start_indices. (I3) limit_indices. (I4) strides: 1 when
//   they are missing.
REGISTER_OP(OpDef("stablehlo.slice", OpKind::kDataMovement)
                .Assembly({ParseSlice, PrintSlice})
                .Infer(InferSlice)
                .Evaluate(EvaluateSlice)
                .Sharding(SliceRule));

}  // namespace
}  // namespace lockstep::internal
