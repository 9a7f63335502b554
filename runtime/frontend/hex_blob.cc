#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/literal_parser.h"

namespace lockstep::internal {
namespace {

constexpr std::array<int8_t, 256> MakeDigitValues() {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) value = -1;
  for (int i = 0; i < 10; ++i) values['0' + i] = static_cast<int8_t>(i);
  for (int i = 0; i < 6; ++i) {
    values['a' + i] = values['A' + i] = static_cast<int8_t>(10 + i);
  }
  return values;
}
constexpr std::array<int8_t, 256> kDigitValues = MakeDigitValues();

// `digits` has 2 * size characters.
bool DecodeHex(absl::string_view digits, std::byte* out) {
  int invalid = 0;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    const int high = kDigitValues[static_cast<unsigned char>(digits[i])];
    const int low = kDigitValues[static_cast<unsigned char>(digits[i + 1])];
    invalid |= high | low;
    out[i / 2] = static_cast<std::byte>(high * 16 + low);
  }
  return invalid >= 0;
}

absl::Status NotHex() {
  return absl::InvalidArgumentError(
      "expected pairs of hex digits after 0x, found something else");
}

// Elements of fewer than 8 bits are their byte's lowest; the rest of it follows
// from them.
void NormalizeSmallElements(ElementType type, std::byte* bytes, int64_t count) {
  if (!IsSmall(type)) return;
  DispatchElementType(type, [&]<typename T>(std::type_identity<T>) {
    if constexpr (kIsSmallInt<T>) {
      for (int64_t i = 0; i < count; ++i) {
        const T value(std::to_integer<typename T::Byte>(bytes[i]));
        bytes[i] = static_cast<std::byte>(value.value);
      }
    } else if constexpr (kIsSmallFloat<T>) {
      for (int64_t i = 0; i < count; ++i) {
        bytes[i] &= static_cast<std::byte>((1 << T::kWidth) - 1);
      }
    }
  });
}

Attribute::Elements Splat(const Shape& shape, const std::byte* element) {
  Literal value(Shape(shape.element_type(), {}));
  std::memcpy(value.mutable_bytes(), element,
              static_cast<size_t>(value.shape().byte_size()));
  return {shape, std::make_shared<const Literal>(std::move(value)), true};
}

// i1: a byte for each element, or bits packed from the lowest.
absl::StatusOr<Attribute::Elements> BoolsFromHex(absl::string_view digits,
                                                 const Shape& shape) {
  const int64_t size = static_cast<int64_t>(digits.size() / 2);
  const int64_t count = shape.element_count();
  std::vector<std::byte> bytes(static_cast<size_t>(size));
  if (!DecodeHex(digits, bytes.data())) return NotHex();
  if (size == 1 && count > 1 &&
      (bytes[0] == std::byte{0} || bytes[0] == std::byte{0xFF})) {
    const std::byte value = bytes[0] & std::byte{1};
    return Splat(shape, &value);
  }
  if (size != count && size != (count + 7) / 8) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected ", count, " bytes or ", (count + 7) / 8,
        " bytes of bits for ", shape.ToString(), ", found ", size, " bytes"));
  }
  Literal values(shape);
  for (int64_t i = 0; i < count; ++i) {
    const bool value = size == count
                           ? bytes[i] != std::byte{0}
                           : (std::to_integer<int>(bytes[i / 8]) >> i % 8) & 1;
    values.mutable_bytes()[i] = static_cast<std::byte>(value);
  }
  return Attribute::Elements{
      shape, std::make_shared<const Literal>(std::move(values)), false};
}

}  // namespace

absl::StatusOr<Attribute::Elements> ElementsFromHex(absl::string_view hex,
                                                    const Shape& shape,
                                                    size_t skip_bytes) {
  if (!absl::StartsWith(hex, "0x") || hex.size() % 2 != 0) return NotHex();
  absl::string_view digits = hex.substr(2);
  if (digits.size() < 2 * skip_bytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at least ", skip_bytes, " bytes, found ", digits.size() / 2));
  }
  digits.remove_prefix(2 * skip_bytes);
  if (shape.element_type() == ElementType::kPred) {
    return BoolsFromHex(digits, shape);
  }
  const auto size = static_cast<int64_t>(digits.size() / 2);
  const int64_t element_size = ByteSize(shape.element_type());
  if (size == element_size && shape.element_count() > 1) {
    std::byte element[16];
    if (!DecodeHex(digits, element)) return NotHex();
    NormalizeSmallElements(shape.element_type(), element, 1);
    return Splat(shape, element);
  }
  if (size != shape.byte_size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", shape.byte_size(), " bytes for ",
                     shape.ToString(), ", found ", size));
  }
  Literal values(shape);
  if (!DecodeHex(digits, values.mutable_bytes())) return NotHex();
  NormalizeSmallElements(shape.element_type(), values.mutable_bytes(),
                         shape.element_count());
  return Attribute::Elements{
      shape, std::make_shared<const Literal>(std::move(values)), false};
}

}  // namespace lockstep::internal
