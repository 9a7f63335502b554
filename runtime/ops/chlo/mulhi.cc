#include <type_traits>

#include "runtime/ops/chlo/forms.h"

namespace lockstep::internal {
namespace {

struct MulhiScalars {
  using KnowsSmallIntegers = void;
  template <typename T>
  T operator()(T x, T y) const {
    using Wide = std::conditional_t<
        sizeof(T) == 8,
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
        std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
    return static_cast<T>((static_cast<Wide>(x) * static_cast<Wide>(y)) >>
                          (8 * sizeof(T)));
  }
  template <int kBits, bool kSigned>
  SmallInt<kBits, kSigned> operator()(SmallInt<kBits, kSigned> x,
                                      SmallInt<kBits, kSigned> y) const {
    using Small = SmallInt<kBits, kSigned>;
    const int product = int{x.value} * int{y.value};
    return Small(static_cast<typename Small::Byte>(product >> kBits));
  }
};

int EmitMulhi(ScalarBuilder& b, const Op&, absl::Span<const int> x) {
  const ElementType type = b.TypeOf(x[0]);
  const ElementType wide =
      IsSignedInteger(type) ? ElementType::kS64 : ElementType::kU64;
  const int product = b.Binary(BinaryScalarOp::kMultiply, b.Convert(wide, x[0]),
                               b.Convert(wide, x[1]));
  const int width = b.Constant(wide, static_cast<double>(BitWidth(type)));
  return b.Convert(
      type, b.Binary(BinaryScalarOp::kShiftRightArithmetic, product, width));
}

// mulhi: element-wise high half of the product of twice the width.
//   (I1, I2) lhs, rhs: integer tensors. (C1) all have the same type.
REGISTER_OP(OpDef("chlo.mulhi", OpKind::kElementwise)
                .Assembly(ArrowForm(2))
                .Infer(InferSameType(2, kIntegerTypes))
                .Evaluate(EvaluateBinary<kIntegerTypes>(MulhiScalars()))
                .Sharding(PointwiseSharding())
                .Emit(EmitMulhi)
                .EmitWhen([](const Op& op) {
                  return ByteSize(op.operand(0)->shape().element_type()) < 8;
                }));

}  // namespace
}  // namespace lockstep::internal
