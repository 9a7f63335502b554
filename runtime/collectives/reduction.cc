#include "runtime/collectives/reduction.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>

#include "absl/strings/str_cat.h"

namespace lockstep {
namespace {

template <typename T>
constexpr bool kIsHalf = std::is_same_v<T, F16> || std::is_same_v<T, BF16>;
template <typename T>
constexpr bool kIsComplex = std::is_same_v<T, std::complex<float>> ||
                            std::is_same_v<T, std::complex<double>>;
template <typename T>
constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

// Integer arithmetic wraps; it is done unsigned and at least 32 bits wide, so
// that no promotion to int can overflow.
template <typename T>
using Wrapping = std::make_unsigned_t<decltype(T() + 0u)>;

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, bool>) {
      return a || b;
    } else if constexpr (kIsInteger<T>) {
      return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
    } else {
      return a + b;
    }
  }
};

struct Multiply {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, bool>) {
      return a && b;
    } else if constexpr (kIsInteger<T>) {
      return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
    } else if constexpr (kIsComplex<T>) {
      return T(a.real() * b.real() - a.imag() * b.imag(),
               a.real() * b.imag() + a.imag() * b.real());
    } else {
      return a * b;
    }
  }
};

// a before b, a NaN before everything, -0 before +0.
template <typename T>
T FloatMinimum(T a, T b) {
  if (std::isnan(a)) return a;
  if (std::isnan(b)) return b;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename T>
T FloatMaximum(T a, T b) {
  if (std::isnan(a)) return a;
  if (std::isnan(b)) return b;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <typename T>
bool LexicographicLess(T a, T b) {
  return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}
template <typename T>
bool HasNan(T a) {
  return std::isnan(a.real()) || std::isnan(a.imag());
}

struct Maximum {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (kIsHalf<T>) {
      return T(FloatMaximum(static_cast<float>(a), static_cast<float>(b)));
    } else if constexpr (std::is_floating_point_v<T>) {
      return FloatMaximum(a, b);
    } else if constexpr (kIsComplex<T>) {
      if (HasNan(a)) return a;
      if (HasNan(b)) return b;
      return LexicographicLess(a, b) ? b : a;
    } else {
      return a < b ? b : a;
    }
  }
};

struct Minimum {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (kIsHalf<T>) {
      return T(FloatMinimum(static_cast<float>(a), static_cast<float>(b)));
    } else if constexpr (std::is_floating_point_v<T>) {
      return FloatMinimum(a, b);
    } else if constexpr (kIsComplex<T>) {
      if (HasNan(a)) return a;
      if (HasNan(b)) return b;
      return LexicographicLess(b, a) ? b : a;
    } else {
      return b < a ? b : a;
    }
  }
};

struct And {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

// `T` is the type of operands, `A` that of partial results.
template <typename T, typename A, typename Op>
class NativeReduction : public Reduction {
 public:
  ElementType element_type() const override { return ElementTypeOf<T>::value; }
  ElementType accumulation_type() const override {
    return ElementTypeOf<A>::value;
  }

  void Load(const std::byte* operand, std::byte* accumulator,
            int64_t count) const override {
    if constexpr (std::is_same_v<T, A>) {
      if (count > 0) std::memcpy(accumulator, operand, count * sizeof(T));
    } else {
      const T* from = reinterpret_cast<const T*>(operand);
      A* to = reinterpret_cast<A*>(accumulator);
      for (int64_t i = 0; i < count; ++i) to[i] = static_cast<A>(from[i]);
    }
  }

  absl::Status Combine(std::byte* accumulator, const std::byte* operand,
                       int64_t count) const override {
    A* a = reinterpret_cast<A*>(accumulator);
    const A* b = reinterpret_cast<const A*>(operand);
    for (int64_t i = 0; i < count; ++i) a[i] = Op()(a[i], b[i]);
    return absl::OkStatus();
  }

  void Store(const std::byte* accumulator, std::byte* result,
             int64_t count) const override {
    if constexpr (std::is_same_v<T, A>) {
      if (count > 0) std::memcpy(result, accumulator, count * sizeof(T));
    } else {
      const A* from = reinterpret_cast<const A*>(accumulator);
      T* to = reinterpret_cast<T*>(result);
      for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(from[i]);
    }
  }
};

absl::string_view Name(ReductionKind kind) {
  switch (kind) {
    case ReductionKind::kAdd:
      return "add";
    case ReductionKind::kMultiply:
      return "multiply";
    case ReductionKind::kMaximum:
      return "maximum";
    case ReductionKind::kMinimum:
      return "minimum";
    case ReductionKind::kAnd:
      return "and";
    case ReductionKind::kOr:
      return "or";
    case ReductionKind::kXor:
      return "xor";
  }
  return "unknown";
}

using ReductionOr = absl::StatusOr<std::unique_ptr<Reduction>>;

template <typename T, typename Op>
ReductionOr Arithmetic() {
  using A = std::conditional_t<kIsHalf<T>, float, T>;
  return std::make_unique<NativeReduction<T, A, Op>>();
}

template <typename T, typename Op>
ReductionOr Bitwise(ReductionKind kind) {
  if constexpr (std::is_integral_v<T>) {
    return std::make_unique<NativeReduction<T, T, Op>>();
  } else {
    return absl::UnimplementedError(absl::StrCat(
        "reduction with ", Name(kind), " of ",
        StablehloName(ElementTypeOf<T>::value), ": expected integers or i1"));
  }
}

template <typename T>
ReductionOr Make(ReductionKind kind) {
  switch (kind) {
    case ReductionKind::kAdd:
      return Arithmetic<T, Add>();
    case ReductionKind::kMultiply:
      return Arithmetic<T, Multiply>();
    case ReductionKind::kMaximum:
      return std::make_unique<NativeReduction<T, T, Maximum>>();
    case ReductionKind::kMinimum:
      return std::make_unique<NativeReduction<T, T, Minimum>>();
    case ReductionKind::kAnd:
      return Bitwise<T, And>(kind);
    case ReductionKind::kOr:
      return Bitwise<T, Or>(kind);
    case ReductionKind::kXor:
      return Bitwise<T, Xor>(kind);
  }
  return absl::InternalError("unknown reduction kind");
}

}  // namespace

absl::StatusOr<std::unique_ptr<Reduction>> MakeReduction(ReductionKind kind,
                                                         ElementType type) {
  return DispatchElementType(
      type, [&]<typename T>(std::type_identity<T>) -> ReductionOr {
        if constexpr (kIsSmall<T>) {
          return absl::UnimplementedError(
              absl::StrCat("reduction of ", StablehloName(type)));
        } else {
          return Make<T>(kind);
        }
      });
}

}  // namespace lockstep
