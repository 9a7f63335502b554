#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

// maximum: element-wise larger one; or on i1.
//   (I1, I2) lhs, rhs: tensors of any element type. (C1) lhs, rhs and result
//   have the same type. Floats: NaN if either is, -0 < +0; complex:
//   lexicographic, one with a NaN wins.
REGISTER_OP(BinaryOp<kAllTypes>("stablehlo.maximum", MaximumScalars())
                .Emit(EmitBinary(BinaryScalarOp::kMaximum)));

}  // namespace
}  // namespace lockstep::internal
