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
    if (static_cast<U>(amount) >= kWidth) return 0;
    return static_cast<T>(static_cast<U>(x) >> amount);
  }
  template <int kBits, bool kSigned>
  SmallInt<kBits, kSigned> operator()(SmallInt<kBits, kSigned> x,
                                      SmallInt<kBits, kSigned> amount) const {
    using Small = SmallInt<kBits, kSigned>;
    if (amount.bits() >= kBits) return Small();
    return Small(static_cast<typename Small::Byte>(x.bits() >> amount.bits()));
  }
};

// shift_right_logical: element-wise x >> y, zeros come in; 0 when y is the
// width or more.
//   The amount is unsigned.
//   (I1, I2) lhs, rhs: integer tensors. (C1) all have the same type.
REGISTER_OP(BinaryOp<kIntegerTypes>("stablehlo.shift_right_logical",
                                    ShiftScalar())
                .Emit(EmitBinary(BinaryScalarOp::kShiftRightLogical)));

}  // namespace
}  // namespace lockstep::internal
