#include "runtime/types/small_float_format.h"

#include "runtime/base/check.h"

namespace lockstep::internal {

using Special = SmallFloatFormat::Special;

SmallFloatFormat FormatOf(ElementType type) {
  LOCKSTEP_CHECK(IsSmallFloat(type));
  return DispatchElementType(
      type, []<typename T>(std::type_identity<T>) -> SmallFloatFormat {
        if constexpr (kIsSmallFloat<T>) return T::kFormat;
        return {};
      });
}

int SignBit(const SmallFloatFormat& format) {
  return 1 << (format.exponent_bits + format.mantissa_bits);
}

uint8_t NanBits(const SmallFloatFormat& format) {
  const int sign = SignBit(format);
  switch (format.special) {
    case Special::kIeee:
      return static_cast<uint8_t>(sign - (1 << (format.mantissa_bits - 1)));
    case Special::kNan:
    case Special::kScale:
      return static_cast<uint8_t>(sign - 1);
    case Special::kNegative:
    case Special::kFinite:
      return static_cast<uint8_t>(sign);
  }
  return 0;
}

int LargestBits(const SmallFloatFormat& format) {
  const int sign = SignBit(format);
  switch (format.special) {
    case Special::kIeee:
      return sign - (1 << format.mantissa_bits) - 1;
    case Special::kNan:
    case Special::kScale:
      return sign - 2;
    case Special::kNegative:
    case Special::kFinite:
      return sign - 1;
  }
  return 0;
}

}  // namespace lockstep::internal
