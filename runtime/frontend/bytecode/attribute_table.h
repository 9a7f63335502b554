#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_ATTRIBUTE_TABLE_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_ATTRIBUTE_TABLE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/frontend/bytecode/container.h"
#include "runtime/frontend/bytecode/expansion_budget.h"
#include "runtime/frontend/bytecode/type_table.h"
#include "runtime/ir/attribute.h"

namespace lockstep::internal {

// An attribute of a file, in the form in which the text of StableHLO has it.
struct BytecodeAttribute {
  Attribute value;
  // What stands for it in text, roughly: with all that it contains.
  uint64_t bytes = 16;
  // Of an attribute that is a type: its place in the table of types.
  std::optional<size_t> type = std::nullopt;
};

// The attributes of a file, read once each when they are asked for. Used by one
// thread; outlived by the container and the types.
class AttributeTable {
 public:
  AttributeTable(const BytecodeContainer& container, TypeTable& types,
                 ExpansionBudget& budget)
      : container_(container),
        types_(types),
        budget_(budget),
        attributes_(container.attributes.size()) {}

  size_t size() const { return attributes_.size(); }
  TypeTable& types() { return types_; }
  ExpansionBudget& budget() { return budget_; }
  const BytecodeContainer::Entry& entry(size_t index) const {
    return container_.attributes[index];
  }

  // A place in the table. INVALID_ARGUMENT when there is no such place.
  absl::StatusOr<size_t> ReadIndex(ByteReader& reader) const {
    return reader.ReadIndex("an attribute", attributes_.size());
  }
  // None where the flag before the place says so.
  absl::StatusOr<std::optional<size_t>> ReadOptionalIndex(
      ByteReader& reader) const;

  // INVALID_ARGUMENT for what is no attribute or contains itself, UNIMPLEMENTED
  // for attributes of other dialects. The pointer stays valid.
  absl::StatusOr<const BytecodeAttribute*> At(size_t index);
  absl::StatusOr<const BytecodeAttribute*> Read(ByteReader& reader);
  // At, for a value that becomes a part of the module: counts for the budget.
  absl::StatusOr<Attribute> Use(const ByteReader& place, size_t index);

  // What strings and tables of others need while they are read.
  // The text of a place in the table of strings.
  absl::StatusOr<std::string> ReadString(ByteReader& reader);
  // The text of an attribute that is a string.
  absl::StatusOr<std::string> ReadStringAttribute(ByteReader& reader);
  // An attribute that is a type.
  absl::StatusOr<BytecodeAttribute> ReadType(ByteReader& reader);
  // A list of attributes.
  absl::StatusOr<BytecodeAttribute> ReadArray(ByteReader& reader);
  // A list of names and attributes.
  absl::StatusOr<BytecodeAttribute> ReadDictionary(ByteReader& reader);
  absl::StatusOr<std::vector<int64_t>> ReadSignedList(ByteReader& reader);

 private:
  absl::StatusOr<BytecodeAttribute> Decode(
      const BytecodeContainer::Entry& entry);

  const BytecodeContainer& container_;
  TypeTable& types_;
  ExpansionBudget& budget_;
  // Pointers to them are given out.
  std::vector<std::unique_ptr<const BytecodeAttribute>> attributes_;
  int depth_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_ATTRIBUTE_TABLE_H_
