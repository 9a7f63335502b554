#include "runtime/frontend/bytecode/number_reader.h"

#include <bit>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// "i32", "si8", "ui4", "index".
struct IntegerType {
  int width = 64;
  bool is_signed = true;
};
std::optional<IntegerType> IntegerTypeOf(absl::string_view name) {
  IntegerType type;
  if (name == "index") return type;
  if (absl::ConsumePrefix(&name, "u")) type.is_signed = false;
  absl::ConsumePrefix(&name, "s");
  if (!absl::ConsumePrefix(&name, "i") ||
      !absl::SimpleAtoi(name, &type.width)) {
    return std::nullopt;
  }
  return type;
}

// The bits of a number of so many: a byte, or a varint with a sign.
absl::StatusOr<uint64_t> ReadBits(ByteReader& reader, int width,
                                  absl::string_view what) {
  uint64_t bits = 0;
  if (width <= 8) {
    ASSIGN_OR_RETURN(bits, reader.ReadByte(what));
  } else {
    ASSIGN_OR_RETURN(const int64_t value, reader.ReadSignedVarint(what));
    bits = static_cast<uint64_t>(value);
  }
  return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

template <typename T>
double DoubleOfBits(uint64_t bits) {
  T value;
  // The lowest bytes come first.
  std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return static_cast<double>(value);
}

// Brings elements into the form that literals have: a bool is 0 or 1, and the
// bits beside a small number are those of its value.
template <typename T>
void Normalise(std::byte* data, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    std::byte& byte = data[i];
    if constexpr (std::is_same_v<T, bool>) {
      byte = byte == std::byte{0} ? std::byte{0} : std::byte{1};
    } else if constexpr (kIsSmall<T>) {
      if constexpr (requires(T x) {
                      x.bits();
                      x.value;
                    } && (std::is_same_v<T, S2> || std::is_same_v<T, S4> ||
                          std::is_same_v<T, U2> || std::is_same_v<T, U4>)) {
        const T value(static_cast<typename T::Byte>(byte));
        std::memcpy(&byte, &value, 1);
      } else if constexpr (T::kWidth < 8) {
        byte &= std::byte{(1 << T::kWidth) - 1};
      }
    }
  }
}

// A bit for each element, the lowest first.
Literal Unpacked(const Shape& shape, absl::string_view bits) {
  Literal literal(shape);
  std::byte* data = literal.mutable_bytes();
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    data[i] = static_cast<std::byte>(
        (static_cast<uint8_t>(bits[static_cast<size_t>(i / 8)]) >> (i % 8)) &
        1);
  }
  return literal;
}

Literal CopyOf(const Shape& shape, absl::string_view blob) {
  Literal literal(shape);
  std::memcpy(literal.mutable_bytes(), blob.data(), blob.size());
  DispatchElementType(
      shape.element_type(), [&]<typename T>(std::type_identity<T>) {
        if constexpr (sizeof(T) == 1) {
          Normalise<T>(literal.mutable_bytes(), shape.element_count());
        }
      });
  return literal;
}

Attribute::Elements Elements(const Shape& shape, Literal values,
                             bool is_splat) {
  return {shape, std::make_shared<const Literal>(std::move(values)), is_splat};
}

absl::StatusOr<Attribute::Elements> ElementsOf(const ByteReader& place,
                                               const Shape& shape,
                                               absl::string_view blob) {
  const auto count = static_cast<uint64_t>(shape.element_count());
  const Shape one(shape.element_type(), {});
  if (shape.element_type() == ElementType::kPred && blob.size() != count) {
    // All bits of one byte say that it stands for all elements.
    if (blob.size() == 1 && (blob[0] == '\xFF' || blob[0] == 0)) {
      return Elements(shape, CopyOf(one, blob), true);
    }
    if (blob.size() == count / 8 + (count % 8 != 0 ? 1 : 0)) {
      return Elements(shape, Unpacked(shape, blob), false);
    }
  }
  if (blob.size() == static_cast<uint64_t>(one.byte_size())) {
    return Elements(shape, CopyOf(one, blob), true);
  }
  if (blob.size() == static_cast<uint64_t>(shape.byte_size())) {
    return Elements(shape, CopyOf(shape, blob), false);
  }
  return place.Error(absl::StrCat(
      "expected ", shape.byte_size(), " bytes for ", shape.ToString(), ", or ",
      one.byte_size(), " for all its elements, found ", blob.size()));
}

}  // namespace

absl::StatusOr<BytecodeAttribute> ReadTypedInteger(AttributeTable& table,
                                                   ByteReader& reader) {
  ASSIGN_OR_RETURN(const BytecodeType* type, table.types().Read(reader));
  const std::optional<IntegerType> integer = IntegerTypeOf(type->text);
  if (!integer.has_value()) {
    return reader.Error(
        absl::StrCat("expected an integer type, found ", type->text));
  }
  const int width = integer->width;
  if (width < 1 || width > 64) {
    return reader.Unimplemented(
        absl::StrCat("a number of type ", type->text, " is not supported"));
  }
  ASSIGN_OR_RETURN(const uint64_t bits, ReadBits(reader, width, "an integer"));
  if (type->text == "i1") {
    return BytecodeAttribute{Attribute::Bool{bits != 0}};
  }
  auto value = static_cast<int64_t>(bits);
  if (integer->is_signed) {
    value = static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
  }
  return BytecodeAttribute{Attribute::Integer{value, type->text}};
}

absl::StatusOr<BytecodeAttribute> ReadTypedFloat(AttributeTable& table,
                                                 ByteReader& reader) {
  ASSIGN_OR_RETURN(const BytecodeType* type, table.types().Read(reader));
  if (!type->element.has_value() ||
      !(IsFloat(*type->element) || IsSmallFloat(*type->element))) {
    return reader.Error(
        absl::StrCat("expected a float type, found ", type->text));
  }
  const int width = static_cast<int>(BitWidth(*type->element));
  ASSIGN_OR_RETURN(const uint64_t bits, ReadBits(reader, width, "a float"));
  const double value = DispatchElementType(
      *type->element, [&]<typename T>(std::type_identity<T>) -> double {
        if constexpr (requires(T x) { static_cast<double>(x); }) {
          return DoubleOfBits<T>(bits);
        } else {
          return 0;
        }
      });
  return BytecodeAttribute{Attribute::Float{value, type->text}};
}

absl::StatusOr<double> ReadDouble(ByteReader& reader, absl::string_view what) {
  ASSIGN_OR_RETURN(const uint64_t bits, ReadBits(reader, 64, what));
  return std::bit_cast<double>(bits);
}

absl::StatusOr<BytecodeAttribute> ReadTypedElements(AttributeTable& table,
                                                    ByteReader& reader) {
  ASSIGN_OR_RETURN(const BytecodeType* type, table.types().Read(reader));
  ASSIGN_OR_RETURN(const uint64_t size, reader.ReadVarint("a size"));
  const ByteReader place(reader);
  ASSIGN_OR_RETURN(const absl::string_view blob,
                   reader.ReadBytes("elements", size));
  std::optional<Shape> shape = type->index_shape;
  if (!shape.has_value() && type->value.has_value() &&
      type->value->is_tensor()) {
    shape = type->value->shape();
  }
  if (!shape.has_value()) {
    return place.Unimplemented(
        absl::StrCat("elements of ", type->text, " are not supported"));
  }
  ASSIGN_OR_RETURN(Attribute::Elements elements,
                   ElementsOf(place, *shape, blob));
  // Bits take a byte each, and more than one character in text.
  uint64_t bytes =
      32 + 2 * static_cast<uint64_t>(elements.values->shape().byte_size());
  if (elements.is_splat && shape->element_count() <= kMaxListedSplat) {
    bytes += sizeof(int64_t) * static_cast<uint64_t>(shape->element_count());
  }
  RETURN_IF_ERROR(table.budget().Spend(place, bytes));
  return BytecodeAttribute{std::move(elements), bytes};
}

}  // namespace lockstep::internal
