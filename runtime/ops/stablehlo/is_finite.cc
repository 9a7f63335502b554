#include <cmath>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

// is_finite: element-wise whether x is neither infinite nor NaN.
//   (I1) operand: float tensor. (C1) the result has its shape, of i1.
REGISTER_OP(OpDef("stablehlo.is_finite", OpKind::kElementwise)
                .Assembly(OperandsForm(1))
                .Infer(InferElementType(kFloatTypes, ElementType::kPred))
                .Evaluate(EvaluateUnary<kFloatTypes>([](auto x) {
                  return std::isfinite(x);
                }))
                .Sharding(PointwiseSharding())
                .Emit(EmitUnary(UnaryScalarOp::kIsFinite)));

}  // namespace
}  // namespace lockstep::internal
