#include <cmath>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// round_nearest_afz: element-wise nearest integer, ties away from zero.
//   (I1) operand: float tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes>("stablehlo.round_nearest_afz", [](auto x) {
              return std::round(x);
            }).Emit(EmitUnary(UnaryScalarOp::kRoundNearestAfz)));

}  // namespace
}  // namespace lockstep::internal
