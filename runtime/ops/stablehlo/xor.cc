#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

// xor: element-wise logical (i1) or bitwise exclusive or.
//   (I1, I2) lhs, rhs: i1 or integer tensors. (C1) lhs, rhs and result have the
//   same type.
REGISTER_OP(BinaryOp<kPredTypes | kIntegerTypes>("stablehlo.xor", XorScalars())
                .Emit(EmitBinary(BinaryScalarOp::kXor)));

}  // namespace
}  // namespace lockstep::internal
