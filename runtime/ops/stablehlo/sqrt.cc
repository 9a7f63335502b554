#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// sqrt: element-wise square root.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.sqrt", [](auto x) {
              return std::sqrt(x);
            }).Emit(EmitUnary(UnaryScalarOp::kSqrt)));

}  // namespace
}  // namespace lockstep::internal
