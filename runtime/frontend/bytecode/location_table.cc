#include "runtime/frontend/bytecode/location_table.h"

#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/bytecode/builtin_codes.h"

namespace lockstep::internal {
namespace {

using Place = LocationTable::Place;
using Code = BuiltinAttributeCode;

// 0 where it does not fit, as in text.
int LineOf(uint64_t number) {
  return number <= std::numeric_limits<int>::max() ? static_cast<int>(number)
                                                   : 0;
}

}  // namespace

absl::StatusOr<Place> LocationTable::Read(ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t index, attributes_.ReadIndex(reader));
  return At(index);
}

absl::StatusOr<Place> LocationTable::At(size_t index) {
  if (!places_[index].has_value()) {
    const BytecodeContainer::Entry& entry = attributes_.entry(index);
    if (depth_ == kMaxBytecodeNesting) {
      return entry.content.Error(absl::StrCat(
          "expected at most ", kMaxBytecodeNesting, " levels of nesting"));
    }
    ++depth_;
    absl::StatusOr<Place> place = Decode(entry);
    --depth_;
    RETURN_IF_ERROR(place.status());
    places_[index] = *std::move(place);
  }
  return *places_[index];
}

absl::StatusOr<Place> LocationTable::Decode(
    const BytecodeContainer::Entry& entry) {
  ByteReader reader(entry.content);
  // Locations of other dialects say nothing of files.
  if (!entry.is_binary || entry.dialect != "builtin") return Place();
  ASSIGN_OR_RETURN(const uint64_t code,
                   reader.ReadVarint("an attribute's code"));
  switch (Code{code}) {
    case Code::kCallSite:
      return DecodeCallSite(reader);
    case Code::kFileLineColumn:
    case Code::kFileRange:
      return DecodeFile(reader, Code{code} == Code::kFileRange);
    case Code::kFused:
    case Code::kFusedWithMetadata:
      return DecodeFused(reader);
    case Code::kNamedLocation: {
      RETURN_IF_ERROR(attributes_.ReadIndex(reader).status());
      return Read(reader);
    }
    case Code::kUnknownLocation:
      return Place();
    default:
      return reader.Error("expected a location, found another attribute");
  }
}

absl::StatusOr<Place> LocationTable::DecodeFile(ByteReader& reader,
                                                bool is_range) {
  ASSIGN_OR_RETURN(std::string file, attributes_.ReadStringAttribute(reader));
  // A range is a list: line, column, and where it ends.
  uint64_t numbers = 2;
  if (is_range) {
    ASSIGN_OR_RETURN(numbers, reader.ReadCount("a number of numbers"));
  }
  Location location;
  if (numbers > 0) {
    ASSIGN_OR_RETURN(const uint64_t line, reader.ReadVarint("a line"));
    location.line = LineOf(line);
  }
  if (numbers > 1) {
    ASSIGN_OR_RETURN(const uint64_t column, reader.ReadVarint("a column"));
    location.column = LineOf(column);
  }
  if (location.line == 0) return Place();
  location.file = std::make_shared<const std::string>(std::move(file));
  return std::make_shared<const Location>(std::move(location));
}

absl::StatusOr<Place> LocationTable::DecodeFused(ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t count,
                   reader.ReadCount("a number of locations"));
  Place first;
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(Place place, Read(reader));
    if (first == nullptr) first = std::move(place);
  }
  return first;
}

absl::StatusOr<Place> LocationTable::DecodeCallSite(ByteReader& reader) {
  ASSIGN_OR_RETURN(Place callee, Read(reader));
  ASSIGN_OR_RETURN(Place caller, Read(reader));
  return callee != nullptr ? callee : caller;
}

}  // namespace lockstep::internal
