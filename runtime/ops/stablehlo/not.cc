#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct NotScalar {
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::same_as<T, bool>) {
      return !x;
    } else {
      return static_cast<T>(~x);
    }
  }
};

// not: element-wise logical (i1) or bitwise not.
//   (I1) operand: i1 or integer tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kPredTypes | kIntegerTypes>("stablehlo.not", NotScalar())
                .Emit(EmitUnary(UnaryScalarOp::kNot)));

}  // namespace
}  // namespace lockstep::internal
