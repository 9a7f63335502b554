#include "runtime/collectives/reduction.h"

#include <cstring>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

template <typename T>
constexpr bool kIsHalf = std::is_same_v<T, F16> || std::is_same_v<T, BF16>;

// `Op` on halves, in f32.
template <typename Op>
struct InFloat {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (kIsHalf<T>) {
      return T(Op()(static_cast<float>(a), static_cast<float>(b)));
    } else {
      return Op()(a, b);
    }
  }
};

// `T` is the type of operands, `A` that of partial results.
template <typename T, typename A, typename Op>
class NativeReduction : public Reduction {
 public:
  explicit NativeReduction(ReductionKind kind) : kind_(kind) {}

  ElementType element_type() const override { return ElementTypeOf<T>::value; }
  ElementType accumulation_type() const override {
    return ElementTypeOf<A>::value;
  }
  std::optional<ReductionKind> kind() const override { return kind_; }

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

 private:
  const ReductionKind kind_;
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
ReductionOr Arithmetic(ReductionKind kind) {
  using A = std::conditional_t<kIsHalf<T>, float, T>;
  return std::make_unique<NativeReduction<T, A, Op>>(kind);
}

template <typename T, typename Op>
ReductionOr Bitwise(ReductionKind kind) {
  if constexpr (std::is_integral_v<T>) {
    return std::make_unique<NativeReduction<T, T, Op>>(kind);
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
      return Arithmetic<T, AddScalars>(kind);
    case ReductionKind::kMultiply:
      return Arithmetic<T, MultiplyScalars>(kind);
    case ReductionKind::kMaximum:
      return std::make_unique<NativeReduction<T, T, InFloat<MaximumScalars>>>(
          kind);
    case ReductionKind::kMinimum:
      return std::make_unique<NativeReduction<T, T, InFloat<MinimumScalars>>>(
          kind);
    case ReductionKind::kAnd:
      return Bitwise<T, AndScalars>(kind);
    case ReductionKind::kOr:
      return Bitwise<T, OrScalars>(kind);
    case ReductionKind::kXor:
      return Bitwise<T, XorScalars>(kind);
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

}  // namespace lockstep::internal
