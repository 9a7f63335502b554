#include <cmath>
#include <limits>

#include "runtime/ops/chlo/forms.h"

namespace lockstep::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Whether g(x) is `value`.
template <typename F>
OpDef IsValue(std::string name, F is_value, double value, bool of_magnitude) {
  return OpDef(std::move(name), OpKind::kElementwise)
      .Assembly(ArrowForm(1))
      .Infer(InferElementType(kFloatTypes, ElementType::kPred))
      .Evaluate(EvaluateUnary<kFloatTypes>(is_value))
      .Sharding(PointwiseSharding())
      .Emit([=](ScalarBuilder& b, const Op&, absl::Span<const int> x) {
        const ScalarTerm term(b, x[0]);
        return (of_magnitude ? Abs(term) : term)
            .Is(ScalarComparison::kEq, value)
            .scalar();
      });
}

// is_inf: element-wise whether x is an infinity. is_pos_inf, is_neg_inf: the
// positive (negative) one.
//   (I1) operand: float tensor. (C1) the result is an i1 tensor of its shape.
REGISTER_OP(IsValue(
    "chlo.is_inf", [](auto x) { return std::isinf(x); }, kInfinity, true));
REGISTER_OP(IsValue(
    "chlo.is_pos_inf", [](auto x) { return std::isinf(x) && x > 0; }, kInfinity,
    false));
REGISTER_OP(IsValue(
    "chlo.is_neg_inf", [](auto x) { return std::isinf(x) && x < 0; },
    -kInfinity, false));

}  // namespace
}  // namespace lockstep::internal
