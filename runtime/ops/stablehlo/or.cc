#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

// or: element-wise logical (i1) or bitwise or.
//   (I1, I2) lhs, rhs: i1 or integer tensors. (C1) lhs, rhs and result have the
//   same type.
REGISTER_OP(BinaryOp<kPredTypes | kIntegerTypes>("stablehlo.or", OrScalars())
                .Emit(EmitBinary(BinaryScalarOp::kOr)));

}  // namespace
}  // namespace lockstep::internal
