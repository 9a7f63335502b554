#include <cmath>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// floor: element-wise largest integer not above x.
//   (I1) operand: float tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes>("stablehlo.floor", [](auto x) {
              return std::floor(x);
            }).Emit(EmitUnary(UnaryScalarOp::kFloor)));

}  // namespace
}  // namespace lockstep::internal
