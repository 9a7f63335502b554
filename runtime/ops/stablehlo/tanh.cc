#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// tanh: element-wise hyperbolic tangent.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.tanh", [](auto x) {
              return std::tanh(x);
            }).Emit(EmitUnary(UnaryScalarOp::kTanh)));

}  // namespace
}  // namespace lockstep::internal
