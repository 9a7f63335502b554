#include "runtime/ir/elements_printer.h"

#include <bit>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "runtime/types/element_text.h"

namespace lockstep::internal {
namespace {

// Nested lists of the values from `next` on; returns what follows them.
const std::byte* AppendLists(ElementType type, absl::Span<const int64_t> dims,
                             const std::byte* next, std::string* out) {
  if (dims.empty()) {
    out->append(FormatElement(type, next));
    return next + ByteSize(type);
  }
  out->push_back('[');
  for (int64_t i = 0; i < dims[0]; ++i) {
    if (i > 0) out->append(", ");
    next = AppendLists(type, dims.subspan(1), next, out);
  }
  out->push_back(']');
  return next;
}

// A NaN of the type from one of f64: keeps sign and payload.
template <typename Bits>
Bits NarrowNan(double value, int mantissa_bits) {
  const auto bits = std::bit_cast<uint64_t>(value);
  const auto payload =
      static_cast<Bits>((bits & 0xFFFFFFFFFFFFF) >> (52 - mantissa_bits));
  const auto sign = static_cast<Bits>(bits >> 63 << (8 * sizeof(Bits) - 1));
  const Bits ones = static_cast<Bits>(~Bits{0} << mantissa_bits);
  const auto exponent =
      static_cast<Bits>(ones & (static_cast<Bits>(~Bits{0}) >> 1));
  return static_cast<Bits>(sign | exponent | payload);
}

template <typename T>
std::string Format(T value) {
  return FormatElement(ElementTypeOf<T>::value,
                       reinterpret_cast<const std::byte*>(&value));
}

}  // namespace

void AppendElements(const Attribute::Elements& elements,
                    int64_t hex_above_elements, std::string* out) {
  const Literal& values = *elements.values;
  const int64_t count = values.shape().element_count();
  out->append("dense<");
  if (count > hex_above_elements && !elements.is_splat) {
    const auto* bytes = reinterpret_cast<const char*>(values.bytes());
    const std::string hex = absl::BytesToHexString(absl::string_view(
        bytes, static_cast<size_t>(values.shape().byte_size())));
    absl::StrAppend(out, "\"0x", absl::AsciiStrToUpper(hex), "\"");
  } else if (count > 0) {
    AppendLists(values.shape().element_type(), values.shape().dims(),
                values.bytes(), out);
  }
  absl::StrAppend(out, "> : ", elements.shape.ToString());
}

std::string FloatText(double value, absl::string_view type) {
  const bool is_nan = std::isnan(value);
  if (type == "f16") {
    return Format(is_nan ? F16::FromBits(NarrowNan<uint16_t>(value, 10))
                         : F16(value));
  }
  if (type == "bf16") {
    return Format(is_nan ? BF16::FromBits(NarrowNan<uint16_t>(value, 7))
                         : BF16(value));
  }
  if (type == "f32") {
    return Format(is_nan ? std::bit_cast<float>(NarrowNan<uint32_t>(value, 23))
                         : static_cast<float>(value));
  }
  return Format(value);
}

}  // namespace lockstep::internal
