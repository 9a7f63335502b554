#include <cmath>

#include "runtime/ops/elementwise.h"

namespace lockstep {
namespace {

// cbrt: element-wise cube root.
//   (I1) operand: float tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes>("stablehlo.cbrt",
                                 [](auto x) { return std::cbrt(x); }));

}  // namespace
}  // namespace lockstep
