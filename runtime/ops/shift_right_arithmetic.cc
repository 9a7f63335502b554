#include <type_traits>

#include "runtime/ops/elementwise.h"

namespace lockstep {
namespace {

struct ShiftScalar {
  template <typename T>
  T operator()(T x, T amount) const {
    using U = std::make_unsigned_t<T>;
    constexpr U kWidth = sizeof(T) * 8;
    using S = std::make_signed_t<T>;
    const U shift = static_cast<U>(amount) >= kWidth ? kWidth - 1 : amount;
    return static_cast<T>(static_cast<S>(x) >> shift);
  }
};

// shift_right_arithmetic: element-wise x >> y, copies of the sign bit come in,
// also when y is the width or more.
//   The amount is unsigned.
//   (I1, I2) lhs, rhs: integer tensors. (C1) all have the same type.
REGISTER_OP(BinaryOp<kIntegerTypes>("stablehlo.shift_right_arithmetic",
                                    ShiftScalar())
                .Emit(EmitBinary(BinaryScalarOp::kShiftRightArithmetic)));

}  // namespace
}  // namespace lockstep
