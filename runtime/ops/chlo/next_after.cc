#include <bit>
#include <cmath>
#include <limits>

#include "runtime/ops/chlo/forms.h"

namespace lockstep::internal {
namespace {

constexpr ElementTypes kTypes =
    kFloatTypes | OneType(ElementType::kF8E5M2) |
    OneType(ElementType::kF8E4M3) | OneType(ElementType::kF8E3M4) |
    OneType(ElementType::kF8E4M3FN) | OneType(ElementType::kF8E4M3FNUZ) |
    OneType(ElementType::kF8E5M2FNUZ) | OneType(ElementType::kF8E4M3B11FNUZ) |
    OneType(ElementType::kF8E8M0FNU) | OneType(ElementType::kF6E2M3FN) |
    OneType(ElementType::kF6E3M2FN) | OneType(ElementType::kF4E2M1FN);

// On the bits of the floats, so that it holds for every format. `sign` is the
// bit of the sign, 0 where there is none. Neither is a NaN.
template <typename Bits>
Bits NextAfter(Bits x, Bits y, Bits sign) {
  const Bits x_magnitude = x & static_cast<Bits>(~sign);
  const Bits y_magnitude = y & static_cast<Bits>(~sign);
  if (x == y || (x_magnitude == 0 && y_magnitude == 0)) return y;
  if (x_magnitude == 0) return static_cast<Bits>((y & sign) | 1);
  const bool shrinks = x_magnitude > y_magnitude || (x & sign) != (y & sign);
  return static_cast<Bits>(shrinks ? x - 1 : x + 1);
}

template <typename T>
T NextAfterOf(T x, T y) {
  if constexpr (kIsSmallFloat<T>) {
    using Special = SmallFloatFormat::Special;
    constexpr uint8_t kSign = T::kFormat.special == Special::kScale
                                  ? 0
                                  : uint8_t{1} << (T::kWidth - 1);
    const uint8_t next = NextAfter<uint8_t>(x.bits(), y.bits(), kSign);
    // Where negative zero stands for NaN there is one zero.
    const bool is_zero =
        T::kFormat.special == Special::kNegative && next == kSign;
    return T::FromBits(is_zero ? 0 : next);
  } else {
    using Bits = std::conditional_t<
        sizeof(T) == 2, uint16_t,
        std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
    constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(T) - 1));
    return std::bit_cast<T>(
        NextAfter(std::bit_cast<Bits>(x), std::bit_cast<Bits>(y), kSign));
  }
}

absl::Status EvaluateNextAfter(EvaluationContext&, const Op& op,
                               absl::Span<const LiteralView> operands,
                               absl::Span<const MutableLiteralView> results) {
  return DispatchTypes<kTypes>(
      op, operands[0].shape().element_type(),
      [&]<typename T>(std::type_identity<T>) {
        const T nan = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
        const auto x = operands[0].data<T>();
        const auto y = operands[1].data<T>();
        const auto z = results[0].data<T>();
        for (size_t i = 0; i < x.size(); ++i) {
          const bool is_nan = std::isnan(static_cast<double>(x[i])) ||
                              std::isnan(static_cast<double>(y[i]));
          z[i] = is_nan ? nan : NextAfterOf(x[i], y[i]);
        }
      });
}

ElementType BitsType(ElementType type) {
  switch (ByteSize(type)) {
    case 2:
      return ElementType::kU16;
    case 4:
      return ElementType::kU32;
    default:
      return ElementType::kU64;
  }
}

int EmitNextAfter(ScalarBuilder& b, const Op&, absl::Span<const int> operands) {
  const ScalarTerm from(b, operands[0]), to(b, operands[1]);
  const ElementType type = from.type();
  const ElementType bits = BitsType(type);
  const ScalarTerm x(b, b.BitcastConvert(bits, from.scalar()));
  const ScalarTerm y(b, b.BitcastConvert(bits, to.scalar()));
  const ScalarTerm sign =
      x.Number(std::ldexp(1.0, static_cast<int>(8 * ByteSize(type) - 1)));
  const auto both = [](const ScalarTerm& p, const ScalarTerm& q) {
    return p.Apply(BinaryScalarOp::kAnd, q);
  };
  const auto either = [](const ScalarTerm& p, const ScalarTerm& q) {
    return p.Apply(BinaryScalarOp::kOr, q);
  };
  const ScalarTerm rest = sign.Apply(UnaryScalarOp::kNot);
  const ScalarTerm x_magnitude = both(x, rest), y_magnitude = both(y, rest);
  const ScalarTerm shrinks =
      either(x_magnitude.Is(ScalarComparison::kGt, y_magnitude),
             both(x, sign).Is(ScalarComparison::kNe, both(y, sign)));
  const ScalarTerm one = x.Number(1);
  const ScalarTerm step = shrinks.Choose(x - one, x + one);
  const ScalarTerm from_zero = either(both(y, sign), one);
  const ScalarTerm moved =
      x_magnitude.Is(ScalarComparison::kEq, 0).Choose(from_zero, step);
  const ScalarTerm next = from.Is(ScalarComparison::kEq, to).Choose(y, moved);
  const ScalarTerm value(b, b.BitcastConvert(type, next.scalar()));
  const ScalarTerm is_nan = either(from.Is(ScalarComparison::kNe, from),
                                   to.Is(ScalarComparison::kNe, to));
  return is_nan
      .Choose(from.Number(std::numeric_limits<double>::quiet_NaN()), value)
      .scalar();
}

// next_after: element-wise the float next to x in the direction of y; y when
// they are equal.
//   (I1, I2) x, y: float tensors. (C1) all have the same type.
REGISTER_OP(OpDef("chlo.next_after", OpKind::kElementwise)
                .Assembly(ArrowForm(2))
                .Infer(InferSameType(2, kFloatTypes))
                .Evaluate(EvaluateNextAfter)
                .Sharding(PointwiseSharding())
                .Emit(EmitNextAfter));

}  // namespace
}  // namespace lockstep::internal
