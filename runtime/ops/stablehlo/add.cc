#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

// add: element-wise x + y; or on i1; integers wrap.
//   (I1, I2) lhs, rhs: tensors of any element type. (C1) lhs, rhs and result
//   have the same type.
REGISTER_OP(BinaryOp<kAllTypes>("stablehlo.add", AddScalars())
                .Emit(EmitBinary(BinaryScalarOp::kAdd)));

}  // namespace
}  // namespace lockstep::internal
