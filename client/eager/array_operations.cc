#include "client/eager/array_operations.h"

#include "absl/strings/str_cat.h"
#include "client/eager/elementwise_call.h"
#include "client/tracer/elementwise.h"

namespace lockstep {

using internal::CallElementwise;

namespace {

using Operands = std::vector<Operand>;

}  // namespace

#define LOCKSTEP_BINARY(name)                                        \
  Array name(const Array& a, const ArrayOperand& b) {                \
    return CallElementwise(                                          \
        {#name, [](const Operands& x) { return name(x[0], x[1]); }}, \
        {ArrayOperand(a, b.location()), b});                         \
  }                                                                  \
  Array name(const ArrayNumber& a, const Array& b) {                 \
    return CallElementwise(                                          \
        {#name, [](const Operands& x) { return name(x[0], x[1]); }}, \
        {a, ArrayOperand(b, a.number().location())});                \
  }
LOCKSTEP_BINARY(add)
LOCKSTEP_BINARY(subtract)
LOCKSTEP_BINARY(multiply)
LOCKSTEP_BINARY(divide)
LOCKSTEP_BINARY(div)
LOCKSTEP_BINARY(maximum)
LOCKSTEP_BINARY(minimum)
LOCKSTEP_BINARY(power)
LOCKSTEP_BINARY(equal)
LOCKSTEP_BINARY(not_equal)
LOCKSTEP_BINARY(less)
LOCKSTEP_BINARY(less_equal)
LOCKSTEP_BINARY(greater)
LOCKSTEP_BINARY(greater_equal)
LOCKSTEP_BINARY(logical_and)
LOCKSTEP_BINARY(logical_or)
#undef LOCKSTEP_BINARY

#define LOCKSTEP_UNARY(name)                                                 \
  Array name(const Array& x, SourceLocation location) {                      \
    return CallElementwise(                                                  \
        {#name, [](const Operands& operands) { return name(operands[0]); }}, \
        {ArrayOperand(x, location)});                                        \
  }
LOCKSTEP_UNARY(negative)
LOCKSTEP_UNARY(abs)
LOCKSTEP_UNARY(sign)
LOCKSTEP_UNARY(exp)
LOCKSTEP_UNARY(log)
LOCKSTEP_UNARY(tanh)
LOCKSTEP_UNARY(logistic)
LOCKSTEP_UNARY(sqrt)
LOCKSTEP_UNARY(rsqrt)
LOCKSTEP_UNARY(square)
LOCKSTEP_UNARY(isfinite)
LOCKSTEP_UNARY(logical_not)
#undef LOCKSTEP_UNARY

#define LOCKSTEP_OPERATOR(symbol, name)                                       \
  Array operator symbol(const ArrayOperand& a, const ArrayOperand& b) {       \
    return CallElementwise(                                                   \
        {#name, [](const Operands& x) { return name(x[0], x[1]); }}, {a, b}); \
  }
LOCKSTEP_OPERATOR(+, add)
LOCKSTEP_OPERATOR(-, subtract)
LOCKSTEP_OPERATOR(*, multiply)
LOCKSTEP_OPERATOR(/, divide)
LOCKSTEP_OPERATOR(==, equal)
LOCKSTEP_OPERATOR(!=, not_equal)
LOCKSTEP_OPERATOR(<, less)
LOCKSTEP_OPERATOR(<=, less_equal)
LOCKSTEP_OPERATOR(>, greater)
LOCKSTEP_OPERATOR(>=, greater_equal)
#undef LOCKSTEP_OPERATOR

Array operator-(const ArrayOperand& x) {
  return negative(x.array(), x.location());
}
Array& operator+=(Array& a, const ArrayOperand& b) { return a = add(a, b); }
Array& operator-=(Array& a, const ArrayOperand& b) {
  return a = subtract(a, b);
}
Array& operator*=(Array& a, const ArrayOperand& b) {
  return a = multiply(a, b);
}
Array& operator/=(Array& a, const ArrayOperand& b) { return a = divide(a, b); }

Array where(const Array& predicate, const ArrayOperand& a,
            const ArrayOperand& b) {
  return CallElementwise(
      {"where", [](const Operands& x) { return where(x[0], x[1], x[2]); }},
      {ArrayOperand(predicate, a.location()), a, b});
}

Array clip(const Array& x, const ArrayOperand& low, const ArrayOperand& high) {
  return CallElementwise(
      {"clip", [](const Operands& y) { return clip(y[0], y[1], y[2]); }},
      {ArrayOperand(x, low.location()), low, high});
}

Array astype(const Array& x, ElementType type, SourceLocation location) {
  return CallElementwise(
      {absl::StrCat("astype ", NumpyName(type)),
       [type](const Operands& y) { return astype(y[0], type); }},
      {ArrayOperand(x, location)});
}

}  // namespace lockstep
