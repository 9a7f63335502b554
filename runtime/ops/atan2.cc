#include <cmath>

#include "runtime/ops/elementwise.h"

namespace lockstep {
namespace {

// atan2: element-wise angle of the point (y, x), as C99's atan2.
//   (I1, I2) lhs, rhs: float tensors. (C1) all have the same type.
REGISTER_OP(BinaryOp<kFloatTypes>("stablehlo.atan2", [](auto y, auto x) {
  return std::atan2(y, x);
}));

}  // namespace
}  // namespace lockstep
