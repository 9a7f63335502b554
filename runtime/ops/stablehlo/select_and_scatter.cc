#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/evaluation/body_runner.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/evaluation/ordered_updates.h"
#include "runtime/ops/evaluation/promotion.h"
#include "runtime/ops/geometry/padding.h"
#include "runtime/ops/geometry/window.h"
#include "runtime/ops/reduction_body.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// A window of one element when window_dimensions is missing.
absl::StatusOr<Window> SelectWindowOf(const Op& op) {
  const int64_t rank = op.operand(0)->shape().rank();
  if (op.attribute("window_dimensions") != nullptr) return WindowOf(op, rank);
  const std::vector<int64_t> ones(rank, 1);
  Window window = {ones, ones, ones, ones, {}};
  ASSIGN_OR_RETURN(window.strides,
                   op.IntegersAttributeOr("window_strides", ones));
  ASSIGN_OR_RETURN(window.padding, PaddingPairsOf(op, rank));
  RETURN_IF_ERROR(CheckWindow(op, window, rank));
  return window;
}

absl::StatusOr<std::vector<Type>> InferSelectAndScatter(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 3));
  RETURN_IF_ERROR(CheckSameElementType(op, 0, 1));  // (C1)
  RETURN_IF_ERROR(CheckSameElementType(op, 0, 2));  // (C3)
  RETURN_IF_ERROR(CheckRank(op, 2, 0));
  const Shape& operand = op.operand(0)->shape();
  const Shape& source = op.operand(1)->shape();
  ASSIGN_OR_RETURN(const Window window, SelectWindowOf(op));  // (C4-C8)
  ASSIGN_OR_RETURN(const Dims counts, WindowCounts(op, window, operand.dims()));
  if (source.dims() != absl::MakeConstSpan(counts)) {  // (C2)
    return op.Error(absl::StrCat("source: expected the dimensions ",
                                 DimsToString(counts), ", found ",
                                 source.ToString()));
  }
  RETURN_IF_ERROR(CheckRegionCount(op, 2));
  const Type scalar = Shape(operand.element_type(), {});
  const Type pred = Shape(ElementType::kPred, {});
  RETURN_IF_ERROR(
      CheckRegionArguments(op, "select", op.region(0), {scalar, scalar}));
  RETURN_IF_ERROR(CheckRegionResults(op, "select", op.region(0), {pred}));
  ASSIGN_OR_RETURN(
      const std::vector<ElementType> types,  // (C10)
      ReductionBodyTypes(op, op.region(1),
                         absl::MakeConstSpan(op.operands()).subspan(0, 1)));
  ASSIGN_OR_RETURN(Shape result, ResultShape(op, types[0], operand.dims()));
  return std::vector<Type>{std::move(result)};  // (C11), (C12)
}

// For every place of the window: where in the operand the element is that its
// window keeps, or -1 when all of it lies in the padding.
class Selection {
 public:
  Selection(EvaluationContext& context, const Op& op, const Window& window,
            const LiteralView& operand, const Shape& places)
      : window_(window),
        operand_(operand),
        places_(places),
        select_(context, op.region(0)),
        selected_(places.element_count(), -1),
        kept_(Shape(operand.shape().element_type(), places.dims())),
        candidates_(kept_),
        keeps_(Shape(ElementType::kPred, places.dims())) {}

  absl::Status Run(const Op& op) {
    ASSIGN_OR_RETURN(const Dims sizes,
                     PaddedSizes(op, window_, operand_.shape().dims()));
    ASSIGN_OR_RETURN(const Shape padded_indices,
                     ResultShape(op, ElementType::kS64, sizes));
    ASSIGN_OR_RETURN(Literal sources, Literal::Allocate(padded_indices));
    PadIndices(sources.mutable_view());
    Literal at_places(Shape(ElementType::kS64, places_.dims()));
    const WindowSlices slices(window_, padded_indices, places_);
    for (int64_t index = 0; index < slices.size(); ++index) {
      slices.Copy(index, sources, at_places.mutable_bytes());
      RETURN_IF_ERROR(Step(at_places.data<int64_t>()));
    }
    return absl::OkStatus();
  }

  const std::vector<int64_t>& selected() const { return selected_; }

 private:
  // The operand's own indices, -1 in the padding.
  void PadIndices(const MutableLiteralView& padded) const {
    Literal indices(Shape(ElementType::kS64, operand_.shape().dims()));
    int64_t next = 0;
    for (int64_t& index : indices.mutable_data<int64_t>()) index = next++;
    const int64_t outside = -1;
    PadInto(indices, reinterpret_cast<const std::byte*>(&outside),
            window_.LowPadding(), window_.InteriorPadding(), padded);
  }

  // Each place keeps what it has or takes the candidate.
  absl::Status Step(absl::Span<const int64_t> candidates) {
    const int64_t size = ByteSize(operand_.shape().element_type());
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i] < 0) continue;
      std::memcpy(candidates_.mutable_bytes() + i * size,
                  operand_.bytes() + candidates[i] * size, size);
    }
    const std::byte* arguments[] = {kept_.bytes(), candidates_.bytes()};
    std::byte* keeps = keeps_.mutable_bytes();
    RETURN_IF_ERROR(select_.Run(places_.element_count(), arguments,
                                absl::MakeConstSpan(&keeps, 1)));
    const auto keep = keeps_.data<bool>();
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i] < 0 || (selected_[i] >= 0 && keep[i])) continue;
      selected_[i] = candidates[i];
      std::memcpy(kept_.mutable_bytes() + i * size,
                  operand_.bytes() + candidates[i] * size, size);
    }
    return absl::OkStatus();
  }

  const Window& window_;
  const LiteralView& operand_;
  const Shape& places_;
  BodyRunner select_;
  std::vector<int64_t> selected_;
  Literal kept_, candidates_, keeps_;
};

absl::Status EvaluateSelectAndScatter(
    EvaluationContext& context, const Op& op,
    absl::Span<const LiteralView> operands,
    absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const Window window, SelectWindowOf(op));
  const ElementType type = results[0].shape().element_type();
  const PromotedViews promoted(operands.subspan(1), {type});
  FillElements(ByteSize(type), promoted[1].bytes(), results[0].bytes(),
               results[0].shape().element_count());
  const Shape& places = operands[1].shape();
  if (places.element_count() == 0) return absl::OkStatus();
  Selection selection(context, op, window, operands[0], places);
  RETURN_IF_ERROR(selection.Run(op));
  OrderedUpdates updates(context, op.region(1), promoted.views().subspan(0, 1),
                         results);
  for (int64_t i = 0; i < places.element_count(); ++i) {
    const int64_t target = selection.selected()[i];
    if (target >= 0) RETURN_IF_ERROR(updates.Add(target, i));
  }
  return updates.Flush();
}

absl::StatusOr<OpShardingRule> SelectAndScatterRule(
    const Op& op, const ShardingRuleOptions& options) {
  ASSIGN_OR_RETURN(const Window window, SelectWindowOf(op));
  const Shape& operand = op.operand(0)->shape();
  const Shape& source = op.operand(1)->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    if (window.KeepsElements(dim)) {
      rule.Add(operand.dim(dim)).Everywhere(dim);
      continue;
    }
    rule.Add(source.dim(dim), FactorKind::kNeedReplication)
        .Operand(1, dim)
        .Blocked(options.is_conservative);
    rule.Add(operand.dim(dim), FactorKind::kPermutation)
        .Operand(0, dim)
        .Result(0, dim)
        .Blocked(options.is_conservative);
  }
  return rule.Build();
}

// select_and_scatter: each window of the operand selects one of its elements;
// the source's value of that window is combined into the result there, which
// begins as init_value everywhere. The element kept so far stays where
// select(kept, next) holds; padding is never selected.
//   (I1) operand. (I2) source. (I3) init_value. (I4) window_dimensions.
//   (I5) window_strides. (I6) padding. (I7) select. (I8) scatter.
REGISTER_OP(OpDef("stablehlo.select_and_scatter", OpKind::kSelectAndScatter)
                .Infer(InferSelectAndScatter)
                .Evaluate(EvaluateSelectAndScatter)
                .Sharding(SelectAndScatterRule));

}  // namespace
}  // namespace lockstep::internal
