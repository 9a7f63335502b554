#include "runtime/ir/elements_printer.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace lockstep {
namespace {

template <typename T>
std::string Decimal(T value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  std::string text(buffer, end);
  if (text.find('.') == std::string::npos) {
    const size_t exponent = text.find('e');
    text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  }
  return text;
}

std::string ElementText(bool value) { return value ? "true" : "false"; }
template <typename T>
  requires std::is_integral_v<T>
std::string ElementText(T value) {
  return absl::StrCat(+value);
}
std::string ElementText(F16 value) {
  return absl::StrFormat("0x%04X", value.bits);
}
std::string ElementText(BF16 value) {
  return absl::StrFormat("0x%04X", value.bits);
}
std::string ElementText(float value) {
  if (std::isfinite(value)) return Decimal(value);
  return absl::StrFormat("0x%08X", std::bit_cast<uint32_t>(value));
}
std::string ElementText(double value) {
  if (std::isfinite(value)) return Decimal(value);
  return absl::StrFormat("0x%016X", std::bit_cast<uint64_t>(value));
}
template <typename T>
std::string ElementText(std::complex<T> value) {
  return absl::StrCat("(", ElementText(value.real()), ",",
                      ElementText(value.imag()), ")");
}

// Nested lists of the values from `next` on; returns what follows them.
template <typename T>
const T* AppendLists(absl::Span<const int64_t> dims, const T* next,
                     std::string* out) {
  if (dims.empty()) {
    out->append(ElementText(*next));
    return next + 1;
  }
  out->push_back('[');
  for (int64_t i = 0; i < dims[0]; ++i) {
    if (i > 0) out->append(", ");
    next = AppendLists(dims.subspan(1), next, out);
  }
  out->push_back(']');
  return next;
}

}  // namespace

void AppendElements(const Attribute::Elements& elements,
                    int64_t hex_above_elements, std::string* out) {
  const Literal& values = *elements.values;
  const int64_t count = values.shape().element_count();
  out->append("dense<");
  if (count > hex_above_elements) {
    const auto* bytes = reinterpret_cast<const char*>(values.bytes());
    const std::string hex = absl::BytesToHexString(absl::string_view(
        bytes, static_cast<size_t>(values.shape().byte_size())));
    absl::StrAppend(out, "\"0x", absl::AsciiStrToUpper(hex), "\"");
  } else if (count > 0) {
    DispatchElementType(
        values.shape().element_type(), [&]<typename T>(std::type_identity<T>) {
          AppendLists(values.shape().dims(),
                      reinterpret_cast<const T*>(values.bytes()), out);
        });
  }
  absl::StrAppend(out, "> : ", elements.shape.ToString());
}

std::string FloatText(double value, absl::string_view type) {
  if (type == "f64") return ElementText(value);
  if (type == "f16") return ElementText(F16(value));
  if (type == "bf16") return ElementText(BF16(value));
  return ElementText(static_cast<float>(value));
}

}  // namespace lockstep
