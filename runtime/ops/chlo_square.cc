#include "runtime/ops/chlo_forms.h"

namespace lockstep {
namespace {

// square: element-wise x * x.
//   (I1) operand: integer, float or complex tensor. (C1) the result has its
//   type.
REGISTER_OP(OpDef("chlo.square", OpKind::kElementwise)
                .Assembly(ArrowForm(1))
                .Infer(InferSameType(1, kNumberTypes))
                .Evaluate(EvaluateUnary<kNumberTypes>([](auto x) {
                  return MultiplyScalars()(x, x);
                }))
                .Emit([](ScalarBuilder& b, const Op&, absl::Span<const int> x) {
                  return b.Binary(BinaryScalarOp::kMultiply, x[0], x[0]);
                }));

}  // namespace
}  // namespace lockstep
