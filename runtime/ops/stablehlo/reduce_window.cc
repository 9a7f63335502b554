#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/evaluation/body_runner.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/evaluation/promotion.h"
#include "runtime/ops/geometry/padding.h"
#include "runtime/ops/geometry/window.h"
#include "runtime/ops/reduction_body.h"
#include "runtime/ops/reduction_scalars.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// (C1), (C2), (C3)
absl::Status CheckOperands(const Op& op) {
  RETURN_IF_ERROR(CheckMinOperandCount(op, 2));
  if (op.operand_count() % 2 != 0) {
    return op.Error(
        absl::StrCat("expected as many init values as inputs, found ",
                     op.operand_count(), " operands"));
  }
  const int count = op.operand_count() / 2;
  for (int i = 0; i < count; ++i) {
    RETURN_IF_ERROR(CheckRank(op, count + i, 0));
    RETURN_IF_ERROR(CheckSameElementType(op, i, count + i));
    if (op.operand(i)->shape().dims() == op.operand(0)->shape().dims()) {
      continue;
    }
    return op.Error(absl::StrCat("operand ", i, ": expected the dims of ",
                                 op.operand(0)->shape().ToString(), ", found ",
                                 op.operand(i)->shape().ToString()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Type>> InferReduceWindow(const Op& op) {
  RETURN_IF_ERROR(CheckOperands(op));
  const Shape& input = op.operand(0)->shape();
  ASSIGN_OR_RETURN(const Window window, WindowOf(op, input.rank()));
  ASSIGN_OR_RETURN(const Dims dims, WindowCounts(op, window, input.dims()));
  RETURN_IF_ERROR(CheckRegionCount(op, 1));
  const size_t count = op.operands().size() / 2;
  ASSIGN_OR_RETURN(
      const std::vector<ElementType> element_types,
      ReductionBodyTypes(
          op, op.region(),
          absl::MakeConstSpan(op.operands()).subspan(0, count)));  // (C13)
  std::vector<Type> types;
  for (ElementType type : element_types) {  // (C14), (C15)
    ASSIGN_OR_RETURN(Shape shape, ResultShape(op, type, dims));
    types.push_back(std::move(shape));
  }
  return types;
}

// One value for each place of the window, of every input.
class Accumulation {
 public:
  Accumulation(EvaluationContext& context, const Op& op,
               absl::Span<const MutableLiteralView> results)
      : body_(context, op.region()), results_(results) {
    for (const auto& result : results) {
      next_.emplace_back(result.shape());
      elements_.emplace_back(result.shape());
    }
  }

  std::byte* elements(size_t k) { return elements_[k].mutable_bytes(); }

  // results = body(results, elements).
  absl::Status Step() {
    std::vector<const std::byte*> arguments;
    std::vector<std::byte*> next;
    for (const auto& result : results_) arguments.push_back(result.bytes());
    for (const Literal& x : elements_) arguments.push_back(x.bytes());
    for (Literal& x : next_) next.push_back(x.mutable_bytes());
    RETURN_IF_ERROR(
        body_.Run(next_[0].shape().element_count(), arguments, next));
    for (size_t k = 0; k < next_.size(); ++k) {
      std::memcpy(results_[k].bytes(), next_[k].bytes(),
                  results_[k].byte_span().size());
    }
    return absl::OkStatus();
  }

 private:
  BodyRunner body_;
  const absl::Span<const MutableLiteralView> results_;
  std::vector<Literal> elements_, next_;
};

// One op on halves, as reduce does it. Whether the body is that.
bool TryAccumulateHalves(const Op& op, const WindowSlices& slices,
                         const Literal& padded, const LiteralView& init,
                         const MutableLiteralView& result) {
  const Op* body = SingleOpBody(op.region());
  if (body == nullptr) return false;
  const auto accumulate = [&]<typename T>(std::type_identity<T>) {
    return DispatchReduction<T>(body->name(), [&](auto f) {
      const auto count = static_cast<size_t>(result.shape().element_count());
      std::vector<float> sums(count, static_cast<float>(init.data<T>()[0]));
      Literal elements(result.shape());
      for (int64_t index = 0; index < slices.size(); ++index) {
        slices.Copy(index, padded, elements.mutable_bytes());
        const absl::Span<const T> x = elements.data<T>();
        for (size_t i = 0; i < count; ++i) {
          sums[i] = f(sums[i], static_cast<float>(x[i]));
        }
      }
      for (size_t i = 0; i < count; ++i) {
        result.data<T>()[i] = static_cast<T>(sums[i]);
      }
    });
  };
  switch (result.shape().element_type()) {
    case ElementType::kF16:
      return accumulate(std::type_identity<F16>());
    case ElementType::kBF16:
      return accumulate(std::type_identity<BF16>());
    default:
      return false;
  }
}

absl::Status EvaluateReduceWindow(
    EvaluationContext& context, const Op& op,
    absl::Span<const LiteralView> operands,
    absl::Span<const MutableLiteralView> results) {
  if (results[0].shape().element_count() == 0) return absl::OkStatus();
  const size_t count = results.size();
  const PromotedViews views(operands, ElementTypesOf(results));
  const Shape& input = views[0].shape();
  ASSIGN_OR_RETURN(const Window window, WindowOf(op, input.rank()));
  ASSIGN_OR_RETURN(const Dims sizes, PaddedSizes(op, window, input.dims()));
  std::vector<Literal> padded;
  for (size_t k = 0; k < count; ++k) {
    ASSIGN_OR_RETURN(const Shape shape,
                     ResultShape(op, views[k].shape().element_type(), sizes));
    ASSIGN_OR_RETURN(Literal literal, Literal::Allocate(shape));
    PadInto(views[k], views[count + k].bytes(), window.LowPadding(),
            window.InteriorPadding(), literal.mutable_view());
    padded.push_back(std::move(literal));
    FillElements(ByteSize(shape.element_type()), views[count + k].bytes(),
                 results[k].bytes(), results[k].shape().element_count());
  }
  const WindowSlices slices(window, padded[0].shape(), results[0].shape());
  if (count == 1 &&
      TryAccumulateHalves(op, slices, padded[0], views[1], results[0])) {
    return absl::OkStatus();
  }
  Accumulation accumulation(context, op, results);
  for (int64_t index = 0; index < slices.size(); ++index) {
    for (size_t k = 0; k < count; ++k) {
      slices.Copy(index, padded[k], accumulation.elements(k));
    }
    RETURN_IF_ERROR(accumulation.Step());
  }
  return absl::OkStatus();
}

absl::StatusOr<OpShardingRule> ReduceWindowRule(
    const Op& op, const ShardingRuleOptions& options) {
  const Shape& result = op.result()->shape();
  ASSIGN_OR_RETURN(const Window window, WindowOf(op, result.rank()));
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < result.rank(); ++dim) {
    const bool is_same = window.KeepsElements(dim);
    rule.Add(result.dim(dim),
             is_same ? FactorKind::kPassThrough : FactorKind::kPermutation)
        .Everywhere(dim)
        .Blocked(options.is_conservative && !is_same);
  }
  return rule.Build();
}

// reduce_window: the reduction of every window, init value first, then the
// window's elements in row-major order. What lies in the padding or between
// dilated elements is an init value.
//   (I1) inputs. (I2) init_values. (I3) window_dimensions. (I4) window_strides.
//   (I5) base_dilations. (I6) window_dilations. (I7) padding. (I8) body.
REGISTER_OP(OpDef("stablehlo.reduce_window", OpKind::kReduceWindow)
                .Infer(InferReduceWindow)
                .Evaluate(EvaluateReduceWindow)
                .Sharding(ReduceWindowRule));

}  // namespace
}  // namespace lockstep::internal
