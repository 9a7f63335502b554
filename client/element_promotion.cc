#include "client/element_promotion.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "runtime/types/convert.h"
#include "runtime/types/element_text.h"

namespace lockstep {
namespace {

int Kind(ElementType type) {
  if (type == ElementType::kPred) return 0;
  if (IsInteger(type)) return 1;
  return IsFloat(type) ? 2 : 3;
}

ElementType SignedOfSize(int64_t bytes) {
  switch (bytes) {
    case 1:
      return ElementType::kS8;
    case 2:
      return ElementType::kS16;
    case 4:
      return ElementType::kS32;
    default:
      return ElementType::kS64;
  }
}

ElementType PromoteIntegers(ElementType a, ElementType b) {
  if (IsUnsignedInteger(a) == IsUnsignedInteger(b)) {
    return ByteSize(a) >= ByteSize(b) ? a : b;
  }
  const ElementType s = IsUnsignedInteger(a) ? b : a;
  const ElementType u = IsUnsignedInteger(a) ? a : b;
  if (u == ElementType::kU64) return ElementType::kF32;
  return SignedOfSize(std::max(ByteSize(s), 2 * ByteSize(u)));
}

}  // namespace

ElementType PromoteTypes(ElementType a, ElementType b) {
  if (a == b) return a;
  if (Kind(a) > Kind(b)) std::swap(a, b);  // Kind(a) <= Kind(b)
  if (Kind(b) == 3) {
    const bool is_double =
        RealType(a) == ElementType::kF64 || RealType(b) == ElementType::kF64;
    return is_double ? ElementType::kC128 : ElementType::kC64;
  }
  if (Kind(a) < Kind(b)) return b;
  if (Kind(b) == 1) return PromoteIntegers(a, b);
  if (ByteSize(a) == ByteSize(b)) return ElementType::kF32;  // f16, bf16
  return ByteSize(a) > ByteSize(b) ? a : b;
}

ElementType PromoteWeak(ElementType strong, ElementType weak) {
  if (Kind(weak) <= Kind(strong)) return strong;
  if (Kind(weak) == 3) {
    return strong == ElementType::kF64 ? ElementType::kC128 : ElementType::kC64;
  }
  return Kind(weak) == 2 ? ElementType::kF32 : weak;
}

ElementType DefaultTypeOf(const Literal& scalar) {
  switch (scalar.shape().element_type()) {
    case ElementType::kS64: {
      const int64_t value = scalar.data<int64_t>()[0];
      const bool fits = value >= std::numeric_limits<int32_t>::min() &&
                        value <= std::numeric_limits<int32_t>::max();
      return fits ? ElementType::kS32 : ElementType::kS64;
    }
    case ElementType::kU64:
      return scalar.data<uint64_t>()[0] <=
                     static_cast<uint64_t>(std::numeric_limits<int32_t>::max())
                 ? ElementType::kS32
                 : ElementType::kU64;
    case ElementType::kF64:
      return ElementType::kF32;
    case ElementType::kC128:
      return ElementType::kC64;
    default:
      return scalar.shape().element_type();
  }
}

Literal ConvertScalar(const Literal& scalar, ElementType type) {
  if (scalar.shape().element_type() == type) return scalar;
  Literal converted(Shape(type, {}));
  ConvertElements(scalar, converted.mutable_view());
  return converted;
}

absl::StatusOr<Literal> FitScalar(const Literal& scalar, ElementType type) {
  const ElementType from = scalar.shape().element_type();
  Literal converted = ConvertScalar(scalar, type);
  if (!IsInteger(from) || !IsInteger(type)) return converted;
  const bool is_negative =
      from == ElementType::kS64 && scalar.data<int64_t>()[0] < 0;
  const bool lost = !(ConvertScalar(converted, from) == scalar) ||
                    (is_negative && IsUnsignedInteger(type));
  if (!lost) return converted;
  return absl::InvalidArgumentError(
      absl::StrCat("the number ", FormatElement(from, scalar.bytes()),
                   " does not fit ", NumpyName(type)));
}

}  // namespace lockstep
