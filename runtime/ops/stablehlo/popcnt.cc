#include <bit>
#include <type_traits>

#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

struct PopcountScalar {
  using KnowsSmallIntegers = void;
  template <typename T>
  T operator()(T x) const {
    return static_cast<T>(
        std::popcount(static_cast<std::make_unsigned_t<T>>(x)));
  }
  template <int kBits, bool kSigned>
  SmallInt<kBits, kSigned> operator()(SmallInt<kBits, kSigned> x) const {
    using Small = SmallInt<kBits, kSigned>;
    return Small(static_cast<typename Small::Byte>(std::popcount(x.bits())));
  }
};

// popcnt: element-wise number of bits set.
//   (I1) operand: integer tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kIntegerTypes>("stablehlo.popcnt", PopcountScalar())
                .Emit(EmitUnary(UnaryScalarOp::kPopcnt)));

}  // namespace
}  // namespace lockstep::internal
