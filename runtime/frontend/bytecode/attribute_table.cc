#include "runtime/frontend/bytecode/attribute_table.h"

#include <limits>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/bytecode/builtin_attributes.h"
#include "runtime/frontend/bytecode/sdy_attributes.h"
#include "runtime/frontend/bytecode/vhlo_attributes.h"

namespace lockstep::internal {
namespace {

uint64_t SaturatingSum(uint64_t a, uint64_t b) {
  return a > std::numeric_limits<uint64_t>::max() - b
             ? std::numeric_limits<uint64_t>::max()
             : a + b;
}

}  // namespace

absl::StatusOr<std::optional<size_t>> AttributeTable::ReadOptionalIndex(
    ByteReader& reader) const {
  ASSIGN_OR_RETURN(const ByteReader::Flagged found,
                   reader.ReadFlagged("an optional attribute"));
  if (!found.flag) return std::nullopt;
  if (found.value < attributes_.size()) return found.value;
  return reader.Error(absl::StrCat("expected an attribute below ",
                                   attributes_.size(), ", found ",
                                   found.value));
}

absl::StatusOr<const BytecodeAttribute*> AttributeTable::At(size_t index) {
  if (attributes_[index] == nullptr) {
    const BytecodeContainer::Entry& entry = container_.attributes[index];
    if (depth_ == kMaxBytecodeNesting) {
      return entry.content.Error(absl::StrCat(
          "expected at most ", kMaxBytecodeNesting, " levels of nesting"));
    }
    ++depth_;
    absl::StatusOr<BytecodeAttribute> attribute = Decode(entry);
    --depth_;
    RETURN_IF_ERROR(attribute.status());
    // So that sums of a few sizes fit.
    if (attribute->bytes > budget_.limit()) {
      return entry.content.Error(
          absl::StrCat("expected an attribute of at most ", budget_.limit(),
                       " bytes, found more"));
    }
    attributes_[index] =
        std::make_unique<const BytecodeAttribute>(*std::move(attribute));
  }
  return attributes_[index].get();
}

absl::StatusOr<const BytecodeAttribute*> AttributeTable::Read(
    ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t index, ReadIndex(reader));
  return At(index);
}

absl::StatusOr<Attribute> AttributeTable::Use(const ByteReader& place,
                                              size_t index) {
  ASSIGN_OR_RETURN(const BytecodeAttribute* attribute, At(index));
  RETURN_IF_ERROR(budget_.Spend(place, attribute->bytes));
  return attribute->value;
}

absl::StatusOr<BytecodeAttribute> AttributeTable::Decode(
    const BytecodeContainer::Entry& entry) {
  ByteReader reader(entry.content);
  if (!entry.is_binary) {
    return reader.Unimplemented(absl::StrCat("an attribute of ", entry.dialect,
                                             " as text is not supported"));
  }
  if (entry.dialect == "vhlo") return DecodeVhloAttribute(*this, reader);
  if (entry.dialect == "builtin") return DecodeBuiltinAttribute(*this, reader);
  if (entry.dialect == "sdy") return DecodeSdyAttribute(*this, reader);
  return reader.Unimplemented(
      absl::StrCat("attributes of ", entry.dialect, " are not supported"));
}

absl::StatusOr<std::string> AttributeTable::ReadString(ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t index,
                   reader.ReadIndex("a string", container_.strings.size()));
  const absl::string_view text = container_.strings[index];
  RETURN_IF_ERROR(budget_.Spend(reader, text.size()));
  return std::string(text);
}

absl::StatusOr<std::string> AttributeTable::ReadStringAttribute(
    ByteReader& reader) {
  ASSIGN_OR_RETURN(const BytecodeAttribute* attribute, Read(reader));
  const auto* text = attribute->value.As<Attribute::String>();
  if (text == nullptr) {
    return reader.Error("expected a string, found another attribute");
  }
  RETURN_IF_ERROR(budget_.Spend(reader, text->value.size()));
  return text->value;
}

absl::StatusOr<BytecodeAttribute> AttributeTable::ReadType(ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t index,
                   reader.ReadIndex("a type", container_.types.size()));
  ASSIGN_OR_RETURN(const BytecodeType* type, types_.At(index));
  const uint64_t bytes = type->text.size() + kBytesOfTypeNode * type->nodes;
  RETURN_IF_ERROR(budget_.Spend(reader, bytes));
  return BytecodeAttribute{Attribute::TypeValue{type->text, type->value}, bytes,
                           index};
}

absl::StatusOr<BytecodeAttribute> AttributeTable::ReadArray(
    ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t count,
                   reader.ReadCount("a number of elements"));
  BytecodeAttribute result;
  Attribute::Array array;
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const BytecodeAttribute* element, Read(reader));
    array.elements.push_back(element->value);
    result.bytes = SaturatingSum(result.bytes, element->bytes);
  }
  result.value = std::move(array);
  return result;
}

absl::StatusOr<BytecodeAttribute> AttributeTable::ReadDictionary(
    ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t count, reader.ReadCount("a number of entries"));
  BytecodeAttribute result;
  Attribute::Dictionary dictionary;
  absl::flat_hash_set<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(std::string name, ReadStringAttribute(reader));
    ASSIGN_OR_RETURN(const BytecodeAttribute* value, Read(reader));
    result.bytes = SaturatingSum(result.bytes, value->bytes);
    result.bytes = SaturatingSum(result.bytes, name.size());
    if (!names.insert(name).second) {
      return reader.Error(absl::StrCat("attribute ", name, " is given twice"));
    }
    dictionary.entries.Append(name, value->value);
  }
  result.value = std::move(dictionary);
  return result;
}

absl::StatusOr<std::vector<int64_t>> AttributeTable::ReadSignedList(
    ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t count,
                   reader.ReadCount("a number of integers"));
  RETURN_IF_ERROR(budget_.Spend(reader, sizeof(int64_t) * count));
  std::vector<int64_t> values(count);
  for (int64_t& value : values) {
    ASSIGN_OR_RETURN(value, reader.ReadSignedVarint("an integer"));
  }
  return values;
}

}  // namespace lockstep::internal
