#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct PartOf {
  template <typename T>
  auto operator()(T x) const {
    if constexpr (kIsComplex<T>) {
      return x.imag();
    } else {
      return T(0);
    }
  }
};

constexpr ElementTypes kPartTypes = kFloatTypes | kComplexTypes;

// imag: element-wise imaginary part; of floats zero.
//   (I1) operand: float or complex tensor.
//   (C1, C2) the result has its shape and its real element type.
REGISTER_OP(OpDef("stablehlo.imag", OpKind::kElementwise)
                .Assembly(OperandsForm(1))
                .Infer(InferRealType(kPartTypes))
                .Evaluate(EvaluateUnary<kPartTypes>(PartOf()))
                .Sharding(PointwiseSharding())
                .Emit(EmitUnary(UnaryScalarOp::kImag)));

}  // namespace
}  // namespace lockstep::internal
