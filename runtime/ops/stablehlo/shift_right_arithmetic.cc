#include <algorithm>
#include <type_traits>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

struct ShiftScalar {
  using KnowsSmallIntegers = void;
  template <typename T>
  T operator()(T x, T amount) const {
    using U = std::make_unsigned_t<T>;
    constexpr U kWidth = sizeof(T) * 8;
    using S = std::make_signed_t<T>;
    const U shift = static_cast<U>(amount) >= kWidth ? kWidth - 1 : amount;
    return static_cast<T>(static_cast<S>(x) >> shift);
  }
  template <int kBits, bool kSigned>
  SmallInt<kBits, kSigned> operator()(SmallInt<kBits, kSigned> x,
                                      SmallInt<kBits, kSigned> amount) const {
    using Small = SmallInt<kBits, kSigned>;
    const SmallInt<kBits, true> with_sign(static_cast<int8_t>(x.bits()));
    const int shift = std::min<int>(amount.bits(), kBits - 1);
    return Small(static_cast<typename Small::Byte>(with_sign.value >> shift));
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
}  // namespace lockstep::internal
