#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// rsqrt: element-wise reciprocal of the square root.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.rsqrt", [](auto x) {
              return decltype(x)(1) / std::sqrt(x);
            }).Emit(EmitUnary(UnaryScalarOp::kRsqrt)));

}  // namespace
}  // namespace lockstep::internal
