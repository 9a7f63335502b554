#ifndef LOCKSTEP_RUNTIME_TYPES_SCALAR_MATH_H_
#define LOCKSTEP_RUNTIME_TYPES_SCALAR_MATH_H_

#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace lockstep::internal {

// Arithmetic on compute types (bool, integers, float, double, complex) with
// the meaning StableHLO gives it; shared by the ops of these names, by
// reductions, on one device and across many, and by dot_general.

template <typename T>
inline constexpr bool kIsComplex = false;
template <typename T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

template <typename T>
concept IntegerScalar = std::integral<T> && !std::same_as<T, bool>;

// An unsigned type in which +, - and * of T wrap modulo 2^n after conversion
// back, free of promotion to int.
template <IntegerScalar T>
using WrapType = std::conditional_t<sizeof(T) < sizeof(uint32_t), uint32_t,
                                    std::make_unsigned_t<T>>;

struct AddScalars {
  template <typename T>
  T operator()(T x, T y) const {
    if constexpr (std::same_as<T, bool>) {
      return x || y;
    } else if constexpr (IntegerScalar<T>) {
      return static_cast<T>(static_cast<WrapType<T>>(x) +
                            static_cast<WrapType<T>>(y));
    } else {
      return x + y;
    }
  }
};

struct SubtractScalars {
  template <typename T>
  T operator()(T x, T y) const {
    if constexpr (IntegerScalar<T>) {
      return static_cast<T>(static_cast<WrapType<T>>(x) -
                            static_cast<WrapType<T>>(y));
    } else {
      return x - y;
    }
  }
};

struct MultiplyScalars {
  template <typename T>
  T operator()(T x, T y) const {
    if constexpr (std::same_as<T, bool>) {
      return x && y;
    } else if constexpr (IntegerScalar<T>) {
      return static_cast<T>(static_cast<WrapType<T>>(x) *
                            static_cast<WrapType<T>>(y));
    } else {
      return x * y;
    }
  }
};

// Lexicographic on (real, imaginary).
template <typename T>
bool LessComplex(const std::complex<T>& x, const std::complex<T>& y) {
  return x.real() < y.real() || (x.real() == y.real() && x.imag() < y.imag());
}

template <typename T>
bool HasNan(const std::complex<T>& x) {
  return std::isnan(x.real()) || std::isnan(x.imag());
}

// Floats: NaN if either is; -0 < +0. Complex numbers: lexicographic; one with a
// NaN wins, the first of two, so that a NaN is not lost by the order in which a
// reduction takes its operands.
struct MaximumScalars {
  template <typename T>
  T operator()(T x, T y) const {
    if constexpr (kIsComplex<T>) {
      if (HasNan(x)) return x;
      return HasNan(y) || LessComplex(x, y) ? y : x;
    } else if constexpr (std::floating_point<T>) {
      if (x == y) return std::signbit(x) ? y : x;
      return x > y || x != x ? x : y;
    } else {
      return x > y ? x : y;
    }
  }
};

struct MinimumScalars {
  template <typename T>
  T operator()(T x, T y) const {
    if constexpr (kIsComplex<T>) {
      if (HasNan(x)) return x;
      return HasNan(y) || LessComplex(y, x) ? y : x;
    } else if constexpr (std::floating_point<T>) {
      if (x == y) return std::signbit(x) ? x : y;
      return x < y || x != x ? x : y;
    } else {
      return x < y ? x : y;
    }
  }
};

// On bool the logical operations, on integers the bitwise ones.
struct AndScalars {
  template <typename T>
  T operator()(T x, T y) const {
    return static_cast<T>(x & y);
  }
};
struct OrScalars {
  template <typename T>
  T operator()(T x, T y) const {
    return static_cast<T>(x | y);
  }
};
struct XorScalars {
  template <typename T>
  T operator()(T x, T y) const {
    return static_cast<T>(x ^ y);
  }
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_SCALAR_MATH_H_
