#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"

namespace lockstep {
namespace {

// exponential: element-wise exponential.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(
    UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.exponential", [](auto x) {
      return std::exp(x);
    }).Emit(EmitUnary(UnaryScalarOp::kExponential)));

}  // namespace
}  // namespace lockstep
