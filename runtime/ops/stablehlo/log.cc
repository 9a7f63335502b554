#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// log: element-wise natural logarithm.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.log", [](auto x) {
              return std::log(x);
            }).Emit(EmitUnary(UnaryScalarOp::kLog)));

}  // namespace
}  // namespace lockstep::internal
