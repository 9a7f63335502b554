#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// tan: element-wise tangent.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.tan", [](auto x) {
              return std::tan(x);
            }).Emit(EmitUnary(UnaryScalarOp::kTan)));

}  // namespace
}  // namespace lockstep::internal
