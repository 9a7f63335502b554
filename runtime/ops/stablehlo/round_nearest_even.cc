#include <cmath>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// round_nearest_even: element-wise nearest integer, ties to even; the rounding
// mode is the default one.
//   (I1) operand: float tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes>("stablehlo.round_nearest_even", [](auto x) {
              return std::nearbyint(x);
            }).Emit(EmitUnary(UnaryScalarOp::kRoundNearestEven)));

}  // namespace
}  // namespace lockstep::internal
