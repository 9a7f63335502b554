#include "runtime/ir/attribute.h"

#include <bit>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

absl::Status Unexpected(absl::string_view expected,
                        const Attribute& attribute) {
  constexpr size_t kLongest = 80;
  std::string found = Print(attribute);
  if (found.size() > kLongest) found = found.substr(0, kLongest) + "...";
  return absl::InvalidArgumentError(
      absl::StrCat("expected ", expected, ", found ", found));
}

// The elements as integers; false when they are none.
bool ToIntegers(const LiteralView& literal, std::vector<int64_t>* values) {
  const ElementType type = literal.shape().element_type();
  if (!IsInteger(type) && type != ElementType::kPred) return false;
  DispatchElementType(type, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_constructible_v<int64_t, T>) {
      for (T value : literal.data<T>()) {
        values->push_back(static_cast<int64_t>(value));
      }
    }
  });
  return true;
}

// A splat stands for any number of elements; lists in attributes are short.
constexpr int64_t kMaxListedElements = 1 << 24;

bool SameBytes(const std::byte* a, const std::byte* b, int64_t size) {
  return std::memcmp(a, b, static_cast<size_t>(size)) == 0;
}

}  // namespace

bool operator==(const Attribute::Float& a, const Attribute::Float& b) {
  return std::bit_cast<uint64_t>(a.value) == std::bit_cast<uint64_t>(b.value) &&
         a.type == b.type;
}

bool operator==(const Attribute::Array& a, const Attribute::Array& b) {
  return a.elements == b.elements;
}

bool operator==(const Attribute::Dictionary& a,
                const Attribute::Dictionary& b) {
  return a.entries == b.entries;
}

bool operator==(const Attribute::Struct& a, const Attribute::Struct& b) {
  return a.name == b.name && a.fields == b.fields;
}

bool operator==(const Attribute::Elements& a, const Attribute::Elements& b) {
  if (!(a.shape == b.shape)) return false;
  if (a.is_splat == b.is_splat) {
    return SameBytes(a.values->bytes(), b.values->bytes(),
                     a.values->shape().byte_size());
  }
  const Literal& splat = a.is_splat ? *a.values : *b.values;
  const Literal& full = a.is_splat ? *b.values : *a.values;
  const int64_t size = ByteSize(a.shape.element_type());
  for (int64_t i = 0; i < a.shape.element_count(); ++i) {
    if (!SameBytes(full.bytes() + i * size, splat.bytes(), size)) return false;
  }
  return true;
}

bool operator==(const Attribute& a, const Attribute& b) {
  return a.value_ == b.value_ || *a.value_ == *b.value_;
}

Literal Attribute::Elements::ToLiteral() const {
  if (!is_splat) return *values;
  Literal literal(shape);
  const size_t size = static_cast<size_t>(ByteSize(shape.element_type()));
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    std::memcpy(literal.mutable_bytes() + i * size, values->bytes(), size);
  }
  return literal;
}

Attribute Attribute::I64Array(absl::Span<const int64_t> values) {
  return DenseArray{"i64", {values.begin(), values.end()}};
}

Attribute Attribute::FromLiteral(Literal literal) {
  Shape shape = literal.shape();
  return Elements{std::move(shape),
                  std::make_shared<const Literal>(std::move(literal)), false};
}

absl::StatusOr<int64_t> IntegerOf(const Attribute& attribute) {
  if (const auto* integer = attribute.As<Attribute::Integer>()) {
    return integer->value;
  }
  if (const auto* elements = attribute.As<Attribute::Elements>()) {
    std::vector<int64_t> values;
    if (elements->shape.element_count() == 1 &&
        ToIntegers(*elements->values, &values)) {
      return values[0];
    }
  }
  return Unexpected("an integer", attribute);
}

absl::StatusOr<std::vector<int64_t>> IntegersOf(const Attribute& attribute) {
  constexpr char kExpected[] = "a list of integers";
  if (const auto* array = attribute.As<Attribute::DenseArray>()) {
    return array->values;
  }
  std::vector<int64_t> values;
  if (const auto* elements = attribute.As<Attribute::Elements>()) {
    if (elements->is_splat &&
        elements->shape.element_count() > kMaxListedElements) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected at most ", kMaxListedElements,
                       " integers, found ", elements->shape.element_count()));
    }
    if (ToIntegers(*elements->values, &values)) {
      if (elements->is_splat) {
        values.resize(elements->shape.element_count(), values[0]);
      }
      return values;
    }
  } else if (const auto* list = attribute.As<Attribute::Array>()) {
    for (const Attribute& element : list->elements) {
      const auto* integer = element.As<Attribute::Integer>();
      if (integer == nullptr) return Unexpected(kExpected, attribute);
      values.push_back(integer->value);
    }
    return values;
  }
  return Unexpected(kExpected, attribute);
}

absl::StatusOr<bool> BoolOf(const Attribute& attribute) {
  if (attribute.As<Attribute::Unit>() != nullptr) return true;
  if (const auto* boolean = attribute.As<Attribute::Bool>()) {
    return boolean->value;
  }
  return Unexpected("true or false", attribute);
}

}  // namespace lockstep::internal
