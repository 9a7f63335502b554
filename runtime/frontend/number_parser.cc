#include "runtime/frontend/number_parser.h"

#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/type_parser.h"
#include "runtime/types/element_text.h"

namespace lockstep::internal {
namespace {

// The type in which a number named `type` is held.
ElementType HoldingType(absl::string_view type) {
  absl::StatusOr<ElementType> known = ParseStablehloName(type);
  if (known.ok() && !IsComplex(*known) && !IsSmall(*known)) return *known;
  return type[0] == 'f' || type == "tf32" ? ElementType::kF64
                                          : ElementType::kS64;
}

// Exact, NaN payloads included: a conversion would quieten them.
double WidenFloat(float value) {
  if (value == value) return value;
  const auto bits = std::bit_cast<uint32_t>(value);
  return std::bit_cast<double>(uint64_t{bits >> 31} << 63 |
                               uint64_t{0x7FF} << 52 |
                               uint64_t{bits & 0x7FFFFF} << 29);
}

template <typename T>
T Read(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

Attribute NumberFromBytes(ElementType held, const std::byte* bytes,
                          std::string type) {
  switch (held) {
    case ElementType::kF64:
      return Attribute::Float{Read<double>(bytes), std::move(type)};
    case ElementType::kF32:
      return Attribute::Float{WidenFloat(Read<float>(bytes)), std::move(type)};
    case ElementType::kF16:
      return Attribute::Float{WidenFloat(static_cast<float>(Read<F16>(bytes))),
                              std::move(type)};
    case ElementType::kBF16:
      return Attribute::Float{WidenFloat(static_cast<float>(Read<BF16>(bytes))),
                              std::move(type)};
    default:
      break;
  }
  int64_t value = 0;
  DispatchElementType(held, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_constructible_v<int64_t, T>) {
      value = static_cast<int64_t>(Read<T>(bytes));
    }
  });
  return Attribute::Integer{value, std::move(type)};
}

// The type after ":", or what stands for none. A tensor's type is not the
// number's: it belongs to what the number is a clause of.
absl::StatusOr<std::string> ParseNumberType(Cursor& cursor,
                                            absl::string_view default_type) {
  if (!cursor.Is(":") || cursor.PeekNext().Is("tensor")) {
    return std::string(default_type);
  }
  cursor.Advance();
  const Token token = cursor.token();
  ASSIGN_OR_RETURN(const ParsedType type, ParseAnyType(cursor));
  if (token.kind != TokenKind::kWord || token.text == "tuple" ||
      type.text != token.text) {
    return InvalidAt(
        cursor.LocationOf(token),
        absl::StrCat("expected the type of a number, found ", type.ToString()));
  }
  return type.text;
}

}  // namespace

absl::StatusOr<std::string> ParseNumberText(Cursor& cursor) {
  const bool negative = cursor.TryConsume("-");
  if (!cursor.Is(TokenKind::kInteger) && !cursor.Is(TokenKind::kFloat)) {
    return cursor.Unexpected("a number");
  }
  std::string text = absl::StrCat(negative ? "-" : "", cursor.token().text);
  cursor.Advance();
  return text;
}

absl::StatusOr<int64_t> ParseInteger(Cursor& cursor) {
  const Token start = cursor.token();
  const bool negative = cursor.TryConsume("-");
  Token number;
  RETURN_IF_ERROR(cursor.Take(TokenKind::kInteger, "an integer", &number));
  const std::string text = absl::StrCat(negative ? "-" : "", number.text);
  int64_t value;
  const bool is_hex = number.text.size() > 1 && number.text[1] == 'x';
  if (is_hex ? absl::SimpleHexAtoi(text, &value)
             : absl::SimpleAtoi(text, &value)) {
    return value;
  }
  return InvalidAt(
      cursor.LocationOf(start),
      absl::StrCat("expected an integer of 64 bits, found ", text));
}

absl::StatusOr<Attribute> ParseNumberAttribute(Cursor& cursor) {
  const Token start = cursor.token();
  const bool is_float = (start.Is("-") ? cursor.PeekNext().kind : start.kind) ==
                        TokenKind::kFloat;
  ASSIGN_OR_RETURN(const std::string text, ParseNumberText(cursor));
  ASSIGN_OR_RETURN(std::string type,
                   ParseNumberType(cursor, is_float ? "f64" : "i64"));
  const ElementType held = HoldingType(type);
  std::byte bytes[8];
  const absl::Status status = ParseDecimal(text, held, bytes);
  if (!status.ok()) return cursor.Locate(status, start.begin());
  return NumberFromBytes(held, bytes, std::move(type));
}

}  // namespace lockstep::internal
