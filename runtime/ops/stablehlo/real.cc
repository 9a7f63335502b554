#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct PartOf {
  template <typename T>
  auto operator()(T x) const {
    if constexpr (kIsComplex<T>) {
      return x.real();
    } else {
      return x;
    }
  }
};

constexpr ElementTypes kPartTypes = kFloatTypes | kComplexTypes;

// real: element-wise real part; of floats themselves.
//   (I1) operand: float or complex tensor.
//   (C1, C2) the result has its shape and its real element type.
REGISTER_OP(OpDef("stablehlo.real", OpKind::kElementwise)
                .Assembly(OperandsForm(1))
                .Infer(InferRealType(kPartTypes))
                .Evaluate(EvaluateUnary<kPartTypes>(PartOf()))
                .Sharding(PointwiseSharding())
                .Emit(EmitUnary(UnaryScalarOp::kReal)));

}  // namespace
}  // namespace lockstep::internal
