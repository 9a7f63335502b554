#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct CbrtScalar {
  template <typename T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>) {
      return std::pow(x, typename T::value_type(1) / 3);
    } else {
      return std::cbrt(x);
    }
  }
};

// cbrt: element-wise cube root; of complex numbers the principal one.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.cbrt", CbrtScalar())
                .Emit(EmitUnary(UnaryScalarOp::kCbrt)));

}  // namespace
}  // namespace lockstep::internal
