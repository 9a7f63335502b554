#include "runtime/frontend/bytecode/op_reader.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/bytecode/op_properties.h"
#include "runtime/frontend/bytecode/unsupported_op.h"

namespace lockstep::internal {
namespace {

// Which fields an op has, in the order in which they stand.
enum Field : uint8_t {
  kAttributes = 0x01,
  kProperties = 0x40,
  kResults = 0x02,
  kOperands = 0x04,
  kSuccessors = 0x08,
  kUseLists = 0x20,
  kRegions = 0x10,
};

// The id of a section of IR, in which the regions of an isolated op stand.
constexpr uint8_t kIrSection = 4;

}  // namespace

absl::StatusOr<BytecodeOp> BytecodeOpReader::ReadOp(ByteReader& reader) {
  BytecodeOp op(reader);
  ASSIGN_OR_RETURN(const size_t name,
                   reader.ReadIndex("an op", container_.op_names.size()));
  op.name = container_.op_names[name];
  op.location = op.place.location();
  ASSIGN_OR_RETURN(const uint8_t fields,
                   reader.ReadByte("the fields of an op"));
  ASSIGN_OR_RETURN(op.location.source, locations_.Read(reader));
  if ((fields & kAttributes) != 0) RETURN_IF_ERROR(ReadAttributes(reader, op));
  if ((fields & kProperties) != 0) RETURN_IF_ERROR(ReadProperties(reader, op));
  if ((fields & kResults) != 0) {
    ASSIGN_OR_RETURN(const size_t count,
                     reader.ReadCount("a number of results"));
    for (size_t i = 0; i < count; ++i) {
      ASSIGN_OR_RETURN(op.result_types.emplace_back(),
                       reader.ReadIndex("a type", container_.types.size()));
    }
  }
  if ((fields & kOperands) != 0) {
    ASSIGN_OR_RETURN(const size_t count,
                     reader.ReadCount("a number of operands"));
    for (size_t i = 0; i < count; ++i) {
      ASSIGN_OR_RETURN(op.operands.emplace_back(),
                       reader.ReadVarint("an operand"));
    }
  }
  if ((fields & kSuccessors) != 0) {
    return op.place.Unimplemented(
        absl::StrCat(op.name, ": branches to other blocks are not supported"));
  }
  if ((fields & kUseLists) != 0) {
    RETURN_IF_ERROR(SkipUseLists(reader, op.result_types.size()));
  }
  if ((fields & kRegions) != 0) {
    ASSIGN_OR_RETURN(const ByteReader::Flagged regions,
                     reader.ReadFlagged("a number of regions"));
    RETURN_IF_ERROR(reader.CheckCount("a number of regions", regions.value));
    op.region_count = regions.value;
    op.is_isolated = regions.flag;
  }
  return op;
}

absl::Status BytecodeOpReader::ReadAttributes(ByteReader& reader,
                                              BytecodeOp& op) {
  const ByteReader place(reader);
  ASSIGN_OR_RETURN(const size_t index, attributes_.ReadIndex(reader));
  const BytecodeContainer::Entry& entry = attributes_.entry(index);
  // The values are kept as places, so the dictionary is read here.
  ByteReader content(entry.content);
  constexpr uint64_t kDictionary = 1;
  ASSIGN_OR_RETURN(const uint64_t code,
                   content.ReadVarint("an attribute's code"));
  if (entry.dialect != "builtin" || !entry.is_binary || code != kDictionary) {
    return place.Error("expected a dictionary, found another attribute");
  }
  ASSIGN_OR_RETURN(const size_t count,
                   content.ReadCount("a number of entries"));
  absl::flat_hash_set<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(std::string name,
                     attributes_.ReadStringAttribute(content));
    ASSIGN_OR_RETURN(const size_t value, attributes_.ReadIndex(content));
    if (!names.insert(name).second) {
      return content.Error(absl::StrCat("attribute ", name, " is given twice"));
    }
    op.attributes.emplace_back(std::move(name), value);
  }
  return absl::OkStatus();
}

absl::Status BytecodeOpReader::ReadProperties(ByteReader& reader,
                                              BytecodeOp& op) {
  ASSIGN_OR_RETURN(
      const size_t index,
      reader.ReadIndex("properties", container_.properties.size()));
  ByteReader content(container_.properties[index]);
  const std::vector<OpProperty>* properties = PropertiesOfOp(op.name);
  if (properties == nullptr) {
    if (content.AtEnd()) return absl::OkStatus();
    return UnsupportedOp(op.location, op.name);
  }
  for (const OpProperty& property : *properties) {
    std::optional<size_t> value;
    if (property.is_optional) {
      ASSIGN_OR_RETURN(value, attributes_.ReadOptionalIndex(content));
    } else {
      ASSIGN_OR_RETURN(value, attributes_.ReadIndex(content));
    }
    if (!value.has_value()) continue;
    for (const auto& attribute : op.attributes) {
      if (attribute.first != property.name) continue;
      return op.place.Error(
          absl::StrCat("attribute ", property.name, " is given twice"));
    }
    op.attributes.emplace_back(property.name, *value);
  }
  return content.ExpectEnd("the properties");
}

absl::Status BytecodeOpReader::SkipUseLists(ByteReader& reader, size_t values) {
  size_t lists = 1;
  if (values > 1) {
    ASSIGN_OR_RETURN(lists, reader.ReadCount("a number of use lists"));
  }
  for (size_t i = 0; i < lists; ++i) {
    if (values > 1) RETURN_IF_ERROR(reader.ReadVarint("a value").status());
    ASSIGN_OR_RETURN(const ByteReader::Flagged uses,
                     reader.ReadFlagged("a number of uses"));
    RETURN_IF_ERROR(reader.CheckCount("a number of uses", uses.value));
    for (uint64_t use = 0; use < uses.value; ++use) {
      RETURN_IF_ERROR(reader.ReadVarint("a use").status());
    }
  }
  return absl::OkStatus();
}

absl::Status BytecodeOpReader::ReadRegions(ByteReader& reader,
                                           const BytecodeOp& op,
                                           const RegionActions& actions) {
  if (op.region_count == 0) return absl::OkStatus();
  if (depth_ == kMaxBytecodeNesting) {
    return op.place.Error(absl::StrCat("expected at most ", kMaxBytecodeNesting,
                                       " levels of nesting"));
  }
  ++depth_;
  const bool has_section =
      op.is_isolated && container_.version >= kNestedRegionSections;
  ByteReader regions(reader);
  if (has_section) {
    ASSIGN_OR_RETURN(const uint8_t head, reader.ReadByte("a section"));
    if (head != kIrSection) {
      return reader.Error("expected a section of IR, found another one");
    }
    ASSIGN_OR_RETURN(const uint64_t size,
                     reader.ReadVarint("a section's size"));
    ASSIGN_OR_RETURN(regions, reader.ReadPart("a section of IR", size));
  }
  if (op.is_isolated) values_.EnterIsolated();
  for (uint64_t i = 0; i < op.region_count; ++i) {
    RETURN_IF_ERROR(ReadRegion(regions, i, actions));
  }
  if (op.is_isolated) values_.LeaveIsolated();
  --depth_;
  if (has_section) return regions.ExpectEnd("a section of IR");
  reader = regions;
  return absl::OkStatus();
}

absl::Status BytecodeOpReader::ReadRegion(ByteReader& reader, uint64_t index,
                                          const RegionActions& actions) {
  const ByteReader place(reader);
  ASSIGN_OR_RETURN(const uint64_t blocks,
                   reader.ReadVarint("a number of blocks"));
  ASSIGN_OR_RETURN(Region * region, actions.begin(index));
  if (blocks == 0) return absl::OkStatus();
  if (blocks > 1) {
    return place.Unimplemented("regions with several blocks are not supported");
  }
  ASSIGN_OR_RETURN(const uint64_t values,
                   reader.ReadVarint("a number of values"));
  RETURN_IF_ERROR(values_.EnterRegion(place, values));
  ASSIGN_OR_RETURN(const ByteReader::Flagged ops,
                   reader.ReadFlagged("a number of ops"));
  RETURN_IF_ERROR(reader.CheckCount("a number of ops", ops.value));
  if (ops.flag) RETURN_IF_ERROR(ReadArguments(reader, *region));
  for (uint64_t i = 0; i < ops.value; ++i) {
    RETURN_IF_ERROR(actions.read(reader, *region));
  }
  values_.LeaveRegion();
  return absl::OkStatus();
}

absl::Status BytecodeOpReader::ReadArguments(ByteReader& reader,
                                             Region& region) {
  TypeTable& types = attributes_.types();
  ASSIGN_OR_RETURN(const size_t count,
                   reader.ReadCount("a number of arguments"));
  for (size_t i = 0; i < count; ++i) {
    const ByteReader place(reader);
    bool has_location = true;
    uint64_t type = 0;
    if (container_.version >= kElidedArgumentLocations) {
      ASSIGN_OR_RETURN(const ByteReader::Flagged flagged,
                       reader.ReadFlagged("a type"));
      type = flagged.value;
      has_location = flagged.flag;
    } else {
      ASSIGN_OR_RETURN(type, reader.ReadVarint("a type"));
    }
    if (type >= container_.types.size()) {
      return place.Error(absl::StrCat(
          "expected a type below ", container_.types.size(), ", found ", type));
    }
    if (has_location) RETURN_IF_ERROR(locations_.Read(reader).status());
    ASSIGN_OR_RETURN(Type value_type, types.ValueTypeAt(place, type));
    RETURN_IF_ERROR(
        values_.Define(place, region.AddArgument(std::move(value_type))));
  }
  if (container_.version < kUseListOrders) return absl::OkStatus();
  ASSIGN_OR_RETURN(const uint8_t has_lists, reader.ReadByte("a flag"));
  return has_lists == 0 ? absl::OkStatus() : SkipUseLists(reader, count);
}

absl::StatusOr<uint64_t> BytecodeOpReader::ReadFirstBlock(ByteReader& reader) {
  const ByteReader place(reader);
  ASSIGN_OR_RETURN(const ByteReader::Flagged ops,
                   reader.ReadFlagged("a number of ops"));
  if (ops.flag) return place.Error("expected a module, found arguments");
  return ops.value;
}

absl::StatusOr<AttributeMap> BytecodeOpReader::AttributesOf(
    const BytecodeOp& op, absl::Span<const absl::string_view> except) {
  AttributeMap map;
  for (const auto& [name, index] : op.attributes) {
    if (std::find(except.begin(), except.end(), name) != except.end()) continue;
    ASSIGN_OR_RETURN(Attribute value, attributes_.Use(op.place, index));
    map.Append(name, std::move(value));
  }
  return map;
}

}  // namespace lockstep::internal
