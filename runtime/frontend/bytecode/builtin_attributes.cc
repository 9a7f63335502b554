#include "runtime/frontend/bytecode/builtin_attributes.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/bytecode/builtin_codes.h"
#include "runtime/frontend/bytecode/number_reader.h"

namespace lockstep::internal {
namespace {

using Code = BuiltinAttributeCode;

// The root and what is nested in it: "a::b".
absl::StatusOr<BytecodeAttribute> DecodeSymbol(AttributeTable& table,
                                               ByteReader& reader,
                                               bool is_flat) {
  ASSIGN_OR_RETURN(std::string name, table.ReadStringAttribute(reader));
  if (!is_flat) {
    ASSIGN_OR_RETURN(const size_t count,
                     reader.ReadCount("a number of nested symbols"));
    for (size_t i = 0; i < count; ++i) {
      ASSIGN_OR_RETURN(const BytecodeAttribute* nested, table.Read(reader));
      const auto* symbol = nested->value.As<Attribute::Symbol>();
      if (symbol == nullptr) {
        return reader.Error("expected a symbol, found another attribute");
      }
      RETURN_IF_ERROR(table.budget().Spend(reader, symbol->name.size()));
      absl::StrAppend(&name, "::", symbol->name);
    }
  }
  const uint64_t bytes = 16 + name.size();
  return BytecodeAttribute{Attribute::Symbol{std::move(name)}, bytes};
}

absl::StatusOr<BytecodeAttribute> DecodeString(AttributeTable& table,
                                               ByteReader& reader,
                                               bool is_typed) {
  ASSIGN_OR_RETURN(std::string text, table.ReadString(reader));
  if (is_typed) RETURN_IF_ERROR(table.types().Read(reader).status());
  const uint64_t bytes = 16 + text.size();
  return BytecodeAttribute{Attribute::String{std::move(text)}, bytes};
}

// The type of an element, how many there are, and their bytes.
absl::StatusOr<BytecodeAttribute> DecodeDenseArray(AttributeTable& table,
                                                   ByteReader& reader) {
  ASSIGN_OR_RETURN(const BytecodeType* type, table.types().Read(reader));
  ASSIGN_OR_RETURN(const uint64_t count,
                   reader.ReadVarint("a number of elements"));
  ASSIGN_OR_RETURN(const uint64_t size, reader.ReadVarint("a size"));
  ASSIGN_OR_RETURN(const absl::string_view blob,
                   reader.ReadBytes("elements", size));
  if (!type->element.has_value() ||
      !(IsInteger(*type->element) || *type->element == ElementType::kPred)) {
    return reader.Unimplemented(
        absl::StrCat("an array of ", type->text, " is not supported"));
  }
  const auto width = static_cast<uint64_t>(ByteSize(*type->element));
  if (size / width != count || size % width != 0) {
    return reader.Error(absl::StrCat("expected ", count, " elements of ", width,
                                     " bytes, found ", size, " bytes"));
  }
  Attribute::DenseArray array{type->text, {}};
  const bool is_signed = IsSignedInteger(*type->element);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    for (uint64_t k = 0; k < width; ++k) {
      bits |= uint64_t{static_cast<uint8_t>(blob[i * width + k])} << (8 * k);
    }
    const uint64_t unused = 64 - 8 * width;
    array.values.push_back(is_signed
                               ? static_cast<int64_t>(bits << unused) >> unused
                               : static_cast<int64_t>(bits));
  }
  return BytecodeAttribute{std::move(array), 32 + 8 * count};
}

}  // namespace

absl::StatusOr<BytecodeAttribute> DecodeBuiltinAttribute(AttributeTable& table,
                                                         ByteReader& reader) {
  ASSIGN_OR_RETURN(const uint64_t code,
                   reader.ReadVarint("an attribute's code"));
  switch (Code{code}) {
    case Code::kArray:
      return table.ReadArray(reader);
    case Code::kDictionary:
      return table.ReadDictionary(reader);
    case Code::kString:
    case Code::kTypedString:
      return DecodeString(table, reader, Code{code} == Code::kTypedString);
    case Code::kFlatSymbol:
    case Code::kSymbol:
      return DecodeSymbol(table, reader, Code{code} == Code::kFlatSymbol);
    case Code::kType:
      return table.ReadType(reader);
    case Code::kUnit:
      return BytecodeAttribute{Attribute::Unit{}};
    case Code::kInteger:
      return ReadTypedInteger(table, reader);
    case Code::kFloat:
      return ReadTypedFloat(table, reader);
    case Code::kDenseArray:
      return DecodeDenseArray(table, reader);
    case Code::kDenseElements:
      return ReadTypedElements(table, reader);
    case Code::kCallSite:
    case Code::kFileLineColumn:
    case Code::kFused:
    case Code::kFusedWithMetadata:
    case Code::kNamedLocation:
    case Code::kUnknownLocation:
    case Code::kFileRange:
      return BytecodeAttribute{Attribute::Opaque{"loc(unknown)"}};
  }
  return reader.Unimplemented(absl::StrCat("a builtin attribute with the code ",
                                           code, " is not supported"));
}

}  // namespace lockstep::internal
