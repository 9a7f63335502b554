#include <cmath>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// ceil: element-wise smallest integer not below x.
//   (I1) operand: float tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes>("stablehlo.ceil", [](auto x) {
              return std::ceil(x);
            }).Emit(EmitUnary(UnaryScalarOp::kCeil)));

}  // namespace
}  // namespace lockstep::internal
