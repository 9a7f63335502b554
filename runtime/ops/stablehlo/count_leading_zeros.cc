#include <bit>
#include <type_traits>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

struct LeadingZerosScalar {
  using KnowsSmallIntegers = void;
  template <typename T>
  T operator()(T x) const {
    return static_cast<T>(
        std::countl_zero(static_cast<std::make_unsigned_t<T>>(x)));
  }
  template <int kBits, bool kSigned>
  SmallInt<kBits, kSigned> operator()(SmallInt<kBits, kSigned> x) const {
    using Small = SmallInt<kBits, kSigned>;
    return Small(static_cast<typename Small::Byte>(std::countl_zero(x.bits()) -
                                                   (8 - kBits)));
  }
};

// count_leading_zeros: element-wise number of zero bits before the highest one.
//   (I1) operand: integer tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kIntegerTypes>("stablehlo.count_leading_zeros",
                                   LeadingZerosScalar())
                .Emit(EmitUnary(UnaryScalarOp::kCountLeadingZeros)));

}  // namespace
}  // namespace lockstep::internal
