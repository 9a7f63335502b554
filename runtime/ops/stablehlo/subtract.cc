#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

// subtract: element-wise x - y; integers wrap.
//   (I1, I2) lhs, rhs: integer, float or complex tensors. (C1) lhs, rhs and
//   result have the same type.
REGISTER_OP(BinaryOp<kNumberTypes>("stablehlo.subtract", SubtractScalars())
                .Emit(EmitBinary(BinaryScalarOp::kSubtract)));

}  // namespace
}  // namespace lockstep::internal
