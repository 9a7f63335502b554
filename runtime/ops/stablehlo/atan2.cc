#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct Atan2Scalars {
  template <typename T>
  T operator()(T y, T x) const {
    if constexpr (kIsComplex<T>) {
      const T i(0, 1);
      return -i * std::log((x + i * y) / std::sqrt(x * x + y * y));
    } else {
      return std::atan2(y, x);
    }
  }
};

// atan2: element-wise angle of the point (x, y) = (rhs, lhs), as C99's atan2.
//   (I1, I2) lhs, rhs: float or complex tensors. (C1) all have the same type.
REGISTER_OP(BinaryOp<kFloatTypes | kComplexTypes>("stablehlo.atan2",
                                                  Atan2Scalars())
                .Emit(EmitBinary(BinaryScalarOp::kAtan2)));

}  // namespace
}  // namespace lockstep::internal
