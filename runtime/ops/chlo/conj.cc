#include <complex>

#include "runtime/ops/chlo/forms.h"

namespace lockstep::internal {
namespace {

struct ConjScalar {
  template <typename T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>) {
      return std::conj(x);
    } else {
      return x;
    }
  }
};

constexpr ElementTypes kTypes = kFloatTypes | kComplexTypes;

// conj: element-wise complex conjugate; floats as they are.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(OpDef("chlo.conj", OpKind::kElementwise)
                .Assembly(ArrowForm(1))
                .Infer(InferSameType(1, kTypes))
                .Evaluate(EvaluateUnary<kTypes>(ConjScalar()))
                .Sharding(PointwiseSharding())
                .Emit([](ScalarBuilder& b, const Op&, absl::Span<const int> x) {
                  if (!IsComplex(b.TypeOf(x[0]))) return x[0];
                  return b.Binary(BinaryScalarOp::kComplex,
                                  b.Unary(UnaryScalarOp::kReal, x[0]),
                                  b.Unary(UnaryScalarOp::kNegate,
                                          b.Unary(UnaryScalarOp::kImag, x[0])));
                }));

}  // namespace
}  // namespace lockstep::internal
