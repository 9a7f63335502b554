#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// sine: element-wise sine.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.sine", [](auto x) {
              return std::sin(x);
            }).Emit(EmitUnary(UnaryScalarOp::kSine)));

}  // namespace
}  // namespace lockstep::internal
