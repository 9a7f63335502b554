#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

// and: element-wise logical (i1) or bitwise and.
//   (I1, I2) lhs, rhs: i1 or integer tensors. (C1) lhs, rhs and result have the
//   same type.
REGISTER_OP(BinaryOp<kPredTypes | kIntegerTypes>("stablehlo.and", AndScalars())
                .Emit(EmitBinary(BinaryScalarOp::kAnd)));

}  // namespace
}  // namespace lockstep::internal
