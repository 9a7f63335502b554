#include <bit>
#include <type_traits>

#include "runtime/ops/elementwise.h"

namespace lockstep {
namespace {

// popcnt: element-wise number of bits set.
//   (I1) operand: integer tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kIntegerTypes>("stablehlo.popcnt", [](auto x) {
  using U = std::make_unsigned_t<decltype(x)>;
  return static_cast<decltype(x)>(std::popcount(static_cast<U>(x)));
}));

}  // namespace
}  // namespace lockstep
