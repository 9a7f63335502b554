#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/evaluation/ordered_updates.h"
#include "runtime/ops/evaluation/promotion.h"
#include "runtime/ops/geometry/indexed_windows.h"
#include "runtime/ops/reduction_body.h"

namespace lockstep::internal {
namespace {

// Operands: inputs, indices, updates, as many updates as inputs.
int InputCount(const Op& op) { return op.operand_count() / 2; }

// (C1), (C2), (C3)
absl::Status CheckOperands(const Op& op) {
  RETURN_IF_ERROR(CheckMinOperandCount(op, 3));
  if (op.operand_count() % 2 == 0) {
    return op.Error(absl::StrCat("expected as many updates as inputs around ",
                                 "the indices, found ", op.operand_count(),
                                 " operands"));
  }
  const int count = InputCount(op);
  for (int i = 0; i < count; ++i) {
    const Shape& input = op.operand(i)->shape();
    const Shape& updates = op.operand(count + 1 + i)->shape();
    if (input.dims() != op.operand(0)->shape().dims()) {
      return op.Error(absl::StrCat("operand ", i, ": expected the dims of ",
                                   op.operand(0)->shape().ToString(),
                                   ", found ", input.ToString()));
    }
    if (updates.dims() != op.operand(count + 1)->shape().dims()) {
      return op.Error(absl::StrCat("operand ", count + 1 + i,
                                   ": expected the dims of ",
                                   op.operand(count + 1)->shape().ToString(),
                                   ", found ", updates.ToString()));
    }
    if (updates.element_type() != input.element_type()) {  // (C6)
      return op.Error(absl::StrCat("operands ", i, " and ", count + 1 + i,
                                   ": expected the same element type, found ",
                                   input.ToString(), " and ",
                                   updates.ToString()));
    }
  }
  return absl::OkStatus();
}

// (C4)
absl::Status CheckUpdates(const Op& op, const IndexedWindows& windows,
                          const Shape& updates) {
  const Shape& input = op.operand(0)->shape();
  const Dims sizes = windows.PositionSizes(op.operand(InputCount(op))->shape());
  const std::vector<int64_t> position_dims =
      windows.PositionDims(updates.rank());
  for (size_t i = 0; i < position_dims.size(); ++i) {
    if (updates.dim(position_dims[i]) == sizes[i]) continue;
    return op.Error(absl::StrCat("updates: expected size ", sizes[i],
                                 " for dim ", position_dims[i], ", found ",
                                 updates.ToString()));
  }
  const std::vector<int64_t> dims = windows.WindowOperandDims(input.rank());
  for (size_t i = 0; i < dims.size(); ++i) {
    if (updates.dim(windows.window_dims[i]) <= input.dim(dims[i])) continue;
    return op.Error(absl::StrCat(
        "updates: expected a size of at most ", input.dim(dims[i]), " for dim ",
        windows.window_dims[i], ", found ", updates.ToString()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Type>> InferScatter(const Op& op) {
  RETURN_IF_ERROR(CheckOperands(op));
  ASSIGN_OR_RETURN(const IndexedWindows windows, ScatterWindowsOf(op));
  const int count = InputCount(op);
  const Shape& indices = op.operand(count)->shape();
  const Shape& updates = op.operand(count + 1)->shape();
  const int64_t rank = static_cast<int64_t>(
      windows.PositionSizes(indices).size() + windows.window_dims.size());
  RETURN_IF_ERROR(CheckRank(op, count + 1, rank));
  RETURN_IF_ERROR(
      CheckIndexedWindows(op, windows, op.operand(0)->shape(), indices, rank));
  RETURN_IF_ERROR(CheckUpdates(op, windows, updates));
  RETURN_IF_ERROR(CheckRegionCount(op, 1));
  ASSIGN_OR_RETURN(const std::vector<ElementType> element_types,
                   ReductionBodyTypes(
                       op, op.region(),
                       absl::MakeConstSpan(op.operands())
                           .subspan(0, static_cast<size_t>(count))));  // (C23)
  std::vector<Type> types;
  for (int i = 0; i < count; ++i) {  // (C24), (C25)
    ASSIGN_OR_RETURN(Shape shape, ResultShape(op, element_types[i],
                                              op.operand(i)->shape().dims()));
    types.push_back(std::move(shape));
  }
  return types;
}

// Walks over all elements of the updates in their order and tells where each
// goes.
class UpdateWalk {
 public:
  UpdateWalk(const IndexedWindows& windows, const Shape& input,
             const LiteralView& indices, const Shape& updates)
      : input_dims_(input.dims().begin(), input.dims().end()),
        input_strides_(input.Strides()),
        sizes_(updates.dims().begin(), updates.dims().end()),
        starts_(WindowStarts(windows, input.rank(), indices)),
        index_(updates.rank(), 0),
        operand_dim_(updates.rank(), -1),
        position_stride_(updates.rank(), 0) {
    const std::vector<int64_t> dims = windows.WindowOperandDims(input.rank());
    for (size_t i = 0; i < dims.size(); ++i) {
      operand_dim_[windows.window_dims[i]] = dims[i];
    }
    const std::vector<int64_t> position_dims =
        windows.PositionDims(updates.rank());
    int64_t stride = 1;
    for (size_t i = position_dims.size(); i-- > 0;) {
      position_stride_[position_dims[i]] = stride;
      stride *= updates.dim(position_dims[i]);
    }
  }

  // The place in the input, or -1 when it is outside.
  int64_t Target() const {
    int64_t position = 0;
    for (size_t d = 0; d < sizes_.size(); ++d) {
      position += index_[d] * position_stride_[d];
    }
    Dims place(input_dims_.size());
    const int64_t* start = starts_.data() + position * place.size();
    for (size_t d = 0; d < place.size(); ++d) place[d] = start[d];
    for (size_t d = 0; d < sizes_.size(); ++d) {
      if (operand_dim_[d] >= 0) place[operand_dim_[d]] += index_[d];
    }
    int64_t target = 0;
    for (size_t d = 0; d < place.size(); ++d) {
      if (place[d] < 0 || place[d] >= input_dims_[d]) return -1;
      target += place[d] * input_strides_[d];
    }
    return target;
  }

  void Advance() {
    for (size_t d = sizes_.size(); d-- > 0;) {
      if (++index_[d] < sizes_[d]) return;
      index_[d] = 0;
    }
  }

 private:
  const Dims input_dims_, input_strides_, sizes_;
  const std::vector<int64_t> starts_;
  Dims index_;
  // For each dim of the updates: the input's dim that it runs along, or -1 and
  // its stride in the positions.
  Dims operand_dim_, position_stride_;
};

absl::Status EvaluateScatter(EvaluationContext& context, const Op& op,
                             absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const IndexedWindows windows, ScatterWindowsOf(op));
  const size_t count = results.size();
  const std::vector<ElementType> types = ElementTypesOf(results);
  const PromotedViews inputs(operands.subspan(0, count), types);
  const PromotedViews updates(operands.subspan(count + 1), types);
  for (size_t k = 0; k < count; ++k) {
    std::memcpy(results[k].bytes(), inputs[k].bytes(),
                results[k].byte_span().size());
  }
  const Shape& shape = updates[0].shape();
  if (shape.element_count() == 0 || results[0].shape().element_count() == 0) {
    return absl::OkStatus();
  }
  UpdateWalk walk(windows, results[0].shape(), operands[count], shape);
  OrderedUpdates ordered(context, op.region(), updates.views(), results);
  for (int64_t i = 0; i < shape.element_count(); ++i, walk.Advance()) {
    const int64_t target = walk.Target();
    if (target >= 0) RETURN_IF_ERROR(ordered.Add(target, i));
  }
  return ordered.Flush();
}

// Of input k's combination with its update: the name of the one op that makes
// it, when partial results can be combined by it too.
absl::string_view CombinerOf(const Region& body, int k) {
  const int count = static_cast<int>(body.arguments().size()) / 2;
  const Op* op = body.terminator()->operand(k)->defining_op();
  if (op == nullptr || op->operand_count() != 2) return "";
  const Value* kept = body.arguments()[k].get();
  const Value* update = body.arguments()[count + k].get();
  const bool has_both = (op->operand(0) == kept && op->operand(1) == update) ||
                        (op->operand(0) == update && op->operand(1) == kept);
  const bool is_pred = kept->shape().element_type() == ElementType::kPred;
  const absl::string_view name = op->name();
  const bool combines =
      name == "stablehlo.add" || name == "stablehlo.multiply" ||
      name == "stablehlo.maximum" || name == "stablehlo.minimum" ||
      (is_pred && (name == "stablehlo.and" || name == "stablehlo.or"));
  return has_both && combines ? name : "";
}

// Of the dims of the updates that only the indices have: shards of the updates
// can be scattered apart when one op combines all inputs.
FactorKind KindOfUpdates(const Region& body, int input_count) {
  const absl::string_view first = CombinerOf(body, 0);
  for (int k = 0; k < input_count; ++k) {
    if (first.empty() || CombinerOf(body, k) != first) {
      return FactorKind::kNeedReplication;
    }
  }
  return FactorKind::kReduction;
}

absl::StatusOr<OpShardingRule> ScatterRule(const Op& op,
                                           const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const IndexedWindows windows, ScatterWindowsOf(op));
  const int count = InputCount(op);
  const Shape& input = op.operand(0)->shape();
  const Shape& indices = op.operand(count)->shape();
  const Shape& updates = op.operand(count + 1)->shape();
  const FactorKind kind_of_updates = KindOfUpdates(op.region(), count);
  ShardingRuleBuilder rule(op);
  const auto add_to_inputs = [&](int64_t dim, FactorKind kind) {
    return rule.Add(input.dim(dim), kind).Operands(0, count, dim).Results(dim);
  };
  for (int64_t dim = 0; dim < updates.rank(); ++dim) {
    const int64_t size = updates.dim(dim);
    const WindowsDim source =
        windows.SourceOf(dim, input.rank(), updates.rank());
    if (!source.is_window && source.operand_dim < 0) {
      rule.Add(size, kind_of_updates)
          .Operand(count, source.indices_dim)
          .Operands(count + 1, count, dim);
    } else if (!source.is_window) {
      add_to_inputs(source.operand_dim, FactorKind::kPassThrough)
          .Operand(count, source.indices_dim)
          .Operands(count + 1, count, dim);
    } else if (size == input.dim(source.operand_dim)) {
      add_to_inputs(source.operand_dim, FactorKind::kPassThrough)
          .Operands(count + 1, count, dim);
    } else {
      add_to_inputs(source.operand_dim, FactorKind::kNeedReplication);
      rule.Add(size, FactorKind::kNeedReplication)
          .Operands(count + 1, count, dim);
    }
  }
  for (int64_t dim : windows.inserted_dims) {
    add_to_inputs(dim, FactorKind::kPassThrough);
  }
  if (windows.index_vector_dim < indices.rank()) {
    rule.Add(indices.dim(windows.index_vector_dim),
             FactorKind::kNeedReplication)
        .Operand(count, windows.index_vector_dim);
  }
  return rule.Build();
}

// scatter: the inputs, with the updates combined into them at the places that
// scatter_indices name, in the order of the updates. An update outside the
// input is dropped; others of its window are not.
//   (I1) inputs. (I2) scatter_indices: integer tensor. (I3) updates. (I4-I9)
//   scatter_dimension_numbers. (I10) indices_are_sorted, (I11) unique_indices:
//   hints. (I12) update_computation: (inputs.., updates..) -> (results..).
REGISTER_OP(OpDef("stablehlo.scatter", OpKind::kScatter)
                .Infer(InferScatter)
                .Evaluate(EvaluateScatter)
                .Sharding(ScatterRule));

}  // namespace
}  // namespace lockstep::internal
