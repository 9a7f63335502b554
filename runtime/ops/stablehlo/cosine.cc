#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// cosine: element-wise cosine.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(
    UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.cosine", [](auto x) {
      return std::cos(x);
    }).Emit(EmitUnary(UnaryScalarOp::kCosine)));

}  // namespace
}  // namespace lockstep::internal
