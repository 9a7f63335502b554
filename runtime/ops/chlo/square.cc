#include <cmath>

#include "runtime/ops/chlo/forms.h"

namespace lockstep::internal {
namespace {

struct SquareScalar {
  template <typename T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>) {
      // The squares of the parts may overflow where their difference does not.
      const auto a = x.real(), b = x.imag();
      const bool is_diagonal = std::isfinite(a) && std::fabs(a) == std::fabs(b);
      return T(is_diagonal ? 0 : (a - b) * (a + b), 2 * (a * b));
    } else {
      return MultiplyScalars()(x, x);
    }
  }
};

int EmitSquare(ScalarBuilder& b, const Op&, absl::Span<const int> x) {
  const ScalarTerm term(b, x[0]);
  if (!IsComplex(term.type())) return (term * term).scalar();
  const ScalarTerm real = term.Apply(UnaryScalarOp::kReal);
  const ScalarTerm imag = term.Apply(UnaryScalarOp::kImag);
  const ScalarTerm is_diagonal =
      Abs(real)
          .Is(ScalarComparison::kEq, Abs(imag))
          .Apply(BinaryScalarOp::kAnd, real.Apply(UnaryScalarOp::kIsFinite));
  return is_diagonal.Choose(real.Number(0), (real - imag) * (real + imag))
      .Apply(BinaryScalarOp::kComplex, 2.0 * (real * imag))
      .scalar();
}

// square: element-wise x * x.
//   (I1) operand: integer, float or complex tensor. (C1) the result has its
//   type.
REGISTER_OP(OpDef("chlo.square", OpKind::kElementwise)
                .Assembly(ArrowForm(1))
                .Infer(InferSameType(1, kNumberTypes))
                .Evaluate(EvaluateUnary<kNumberTypes>(SquareScalar()))
                .Sharding(PointwiseSharding())
                .Emit(EmitSquare));

}  // namespace
}  // namespace lockstep::internal
