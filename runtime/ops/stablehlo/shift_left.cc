#include <type_traits>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

struct ShiftScalar {
  template <typename T>
  T operator()(T x, T amount) const {
    using U = std::make_unsigned_t<T>;
    constexpr U kWidth = sizeof(T) * 8;
    if (static_cast<U>(amount) >= kWidth) return 0;
    return static_cast<T>(static_cast<uint64_t>(x) << amount);
  }
};

// shift_left: element-wise x << y; 0 when y is the width or more.
//   The amount is unsigned.
//   (I1, I2) lhs, rhs: integer tensors. (C1) all have the same type.
REGISTER_OP(BinaryOp<kIntegerTypes>("stablehlo.shift_left", ShiftScalar())
                .Emit(EmitBinary(BinaryScalarOp::kShiftLeft)));

}  // namespace
}  // namespace lockstep::internal
