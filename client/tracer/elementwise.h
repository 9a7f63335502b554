#ifndef LOCKSTEP_CLIENT_TRACER_ELEMENTWISE_H_
#define LOCKSTEP_CLIENT_TRACER_ELEMENTWISE_H_

#include "client/tracer/tensor.h"

// Elementwise operations under their NumPy and JAX names. Operands broadcast as
// in NumPy (aligned at the last dimension; 1 stretches) and meet in JAX's
// common element type. Functions of real analysis (exp, sqrt, divide, ..) take
// integers as f32, those of 64 bits as f64. Errors are INVALID_ARGUMENT when
// the function is traced: shapes that do not broadcast, an operation that the
// element type lacks.

namespace lockstep {

Tensor operator+(const Operand& a, const Operand& b);
Tensor operator-(const Operand& a, const Operand& b);
Tensor operator*(const Operand& a, const Operand& b);
// True division: integers give f32, those of 64 bits f64 (`div` keeps them).
Tensor operator/(const Operand& a, const Operand& b);
Tensor operator-(const Operand& x);

Tensor operator==(const Operand& a, const Operand& b);
Tensor operator!=(const Operand& a, const Operand& b);
Tensor operator<(const Operand& a, const Operand& b);
Tensor operator<=(const Operand& a, const Operand& b);
Tensor operator>(const Operand& a, const Operand& b);
Tensor operator>=(const Operand& a, const Operand& b);

Tensor add(const Operand& a, const Operand& b);
Tensor subtract(const Operand& a, const Operand& b);
Tensor multiply(const Operand& a, const Operand& b);
Tensor divide(const Operand& a, const Operand& b);
// Division in the operands' own type; integers truncate toward zero.
Tensor div(const Operand& a, const Operand& b);
// A NaN operand gives NaN.
Tensor maximum(const Operand& a, const Operand& b);
Tensor minimum(const Operand& a, const Operand& b);
Tensor power(const Operand& a, const Operand& b);

Tensor negative(const Operand& x);
Tensor abs(const Operand& x);
Tensor sign(const Operand& x);
Tensor exp(const Operand& x);
Tensor log(const Operand& x);
Tensor tanh(const Operand& x);
Tensor logistic(const Operand& x);
Tensor sqrt(const Operand& x);
Tensor rsqrt(const Operand& x);
Tensor expm1(const Operand& x);
Tensor log1p(const Operand& x);
Tensor sin(const Operand& x);
Tensor cos(const Operand& x);
Tensor tan(const Operand& x);
Tensor cbrt(const Operand& x);
Tensor floor(const Operand& x);
Tensor ceil(const Operand& x);
// Halves go to the even neighbour.
Tensor round(const Operand& x);
Tensor square(const Operand& x);
// bool; true for integers.
Tensor isfinite(const Operand& x);

Tensor equal(const Operand& a, const Operand& b);
Tensor not_equal(const Operand& a, const Operand& b);
Tensor less(const Operand& a, const Operand& b);
Tensor less_equal(const Operand& a, const Operand& b);
Tensor greater(const Operand& a, const Operand& b);
Tensor greater_equal(const Operand& a, const Operand& b);

// On bool; other types count as "not zero".
Tensor logical_and(const Operand& a, const Operand& b);
Tensor logical_or(const Operand& a, const Operand& b);
Tensor logical_not(const Operand& x);

// a where the predicate holds, b elsewhere.
Tensor where(const Operand& predicate, const Operand& a, const Operand& b);
// The same under lax's name.
Tensor select(const Operand& predicate, const Operand& a, const Operand& b);
// minimum(maximum(x, low), high).
Tensor clip(const Operand& x, const Operand& low, const Operand& high);

// Converts; to bool: not zero.
Tensor astype(const Operand& x, ElementType type);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_ELEMENTWISE_H_
