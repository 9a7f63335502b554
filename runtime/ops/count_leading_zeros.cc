#include <bit>
#include <type_traits>

#include "runtime/ops/elementwise.h"

namespace lockstep {
namespace {

// count_leading_zeros: element-wise number of zero bits before the highest one.
//   (I1) operand: integer tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kIntegerTypes>("stablehlo.count_leading_zeros", [](auto x) {
  using U = std::make_unsigned_t<decltype(x)>;
  return static_cast<decltype(x)>(std::countl_zero(static_cast<U>(x)));
}));

}  // namespace
}  // namespace lockstep
