#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// logistic: element-wise 1 / (1 + exp(-x)).
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(
    UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.logistic", [](auto x) {
      return decltype(x)(1) / (decltype(x)(1) + std::exp(-x));
    }).Emit(EmitUnary(UnaryScalarOp::kLogistic)));

}  // namespace
}  // namespace lockstep::internal
