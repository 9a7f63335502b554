#include "runtime/frontend/bytecode/container.h"

#include <array>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

enum SectionId : uint8_t {
  kStrings,
  kDialects,
  kEntries,
  kEntryOffsets,
  kIr,
  kResources,
  kResourceOffsets,
  kDialectVersion,
  kPropertySection,
  kSectionCount,
};
constexpr absl::string_view kSectionNames[] = {
    "strings",   "dialects",         "attributes and types", "offsets",   "IR",
    "resources", "resource offsets", "dialect version",      "properties"};

using Sections = std::array<std::optional<ByteReader>, kSectionCount>;

// Padding up to a multiple of the alignment, counted from the bytecode's begin.
absl::Status SkipPadding(ByteReader& file, size_t begin) {
  ASSIGN_OR_RETURN(const uint64_t alignment, file.ReadVarint("an alignment"));
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 ||
      alignment > (uint64_t{1} << 31)) {
    return file.Error(
        absl::StrCat("expected an alignment that is a power of "
                     "2, found ",
                     alignment));
  }
  const uint64_t over = (file.offset() - begin) % alignment;
  return file.ReadBytes("padding", over == 0 ? 0 : alignment - over).status();
}

// One section; reads its header.
absl::StatusOr<std::pair<uint8_t, ByteReader>> ReadSection(ByteReader& file,
                                                           size_t begin) {
  const ByteReader before(file);
  ASSIGN_OR_RETURN(const uint8_t head, file.ReadByte("a section"));
  const uint8_t id = head & 0x7F;
  if (id >= kSectionCount) {
    return before.Error(absl::StrCat("expected a section below ",
                                     int{kSectionCount}, ", found ", int{id}));
  }
  ASSIGN_OR_RETURN(const uint64_t size, file.ReadVarint("a section's size"));
  if ((head & 0x80) != 0) RETURN_IF_ERROR(SkipPadding(file, begin));
  ASSIGN_OR_RETURN(
      ByteReader content,
      file.ReadPart(absl::StrCat("section ", kSectionNames[id]), size));
  return std::pair{id, std::move(content)};
}

absl::StatusOr<Sections> ReadSections(ByteReader& file, size_t begin) {
  Sections sections;
  while (!file.AtEnd()) {
    const ByteReader before(file);
    ASSIGN_OR_RETURN(auto section, ReadSection(file, begin));
    if (sections[section.first].has_value()) {
      return before.Error(absl::StrCat("section ", kSectionNames[section.first],
                                       " is there twice"));
    }
    sections[section.first].emplace(std::move(section.second));
  }
  return sections;
}

absl::StatusOr<std::vector<absl::string_view>> ReadStrings(ByteReader section) {
  ASSIGN_OR_RETURN(const size_t count,
                   section.ReadCount("a number of strings"));
  // The sizes are those of the strings in reverse order, with their NULs.
  std::vector<uint64_t> sizes(count);
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(sizes[count - 1 - i],
                     section.ReadVarint("the size of a string"));
  }
  std::vector<absl::string_view> strings;
  strings.reserve(count);
  for (const uint64_t size : sizes) {
    const ByteReader before(section);
    ASSIGN_OR_RETURN(absl::string_view text,
                     section.ReadBytes("a string", size));
    if (text.empty() || text.back() != '\0') {
      return before.Error("expected a string that ends in a NUL");
    }
    text.remove_suffix(1);
    strings.push_back(text);
  }
  RETURN_IF_ERROR(section.ExpectEnd("the strings"));
  return strings;
}

// The names of dialects, and those of ops into the container.
absl::StatusOr<std::vector<absl::string_view>> ReadDialects(
    ByteReader section, BytecodeContainer& container) {
  const std::vector<absl::string_view>& strings = container.strings;
  ASSIGN_OR_RETURN(const size_t count,
                   section.ReadCount("a number of dialects"));
  std::vector<absl::string_view> dialects;
  for (size_t i = 0; i < count; ++i) {
    bool has_version = false;
    const ByteReader before(section);
    ASSIGN_OR_RETURN(uint64_t name, section.ReadVarint("a dialect's name"));
    if (container.version >= kDialectVersions) {
      has_version = (name & 1) != 0;
      name >>= 1;
    }
    if (name >= strings.size()) {
      return before.Error(absl::StrCat("expected a dialect's name below ",
                                       strings.size(), ", found ", name));
    }
    dialects.push_back(strings[name]);
    if (has_version) {
      RETURN_IF_ERROR(ReadSection(section, section.offset()).status());
    }
  }
  if (container.version >= kElidedArgumentLocations) {
    RETURN_IF_ERROR(section.ReadCount("a number of op names").status());
  }
  // Names that are repeated often must not take more memory than the file.
  size_t bytes = 0;
  while (!section.AtEnd()) {
    ASSIGN_OR_RETURN(const size_t dialect,
                     section.ReadIndex("a dialect", dialects.size()));
    ASSIGN_OR_RETURN(const size_t ops,
                     section.ReadCount("a number of op names"));
    for (size_t i = 0; i < ops; ++i) {
      const ByteReader before(section);
      ASSIGN_OR_RETURN(uint64_t name, section.ReadVarint("an op's name"));
      if (container.version >= kPropertySections) name >>= 1;
      if (name >= strings.size()) {
        return before.Error(absl::StrCat("expected an op's name below ",
                                         strings.size(), ", found ", name));
      }
      container.op_names.push_back(
          absl::StrCat(dialects[dialect], ".", strings[name]));
      bytes += container.op_names.back().size();
      if (bytes > (size_t{64} << 20)) {
        return before.Error("expected at most 64 MiB of op names, found more");
      }
    }
  }
  return dialects;
}

absl::Status ReadEntries(size_t count,
                         const std::vector<absl::string_view>& dialects,
                         ByteReader& offsets, ByteReader& data,
                         std::vector<BytecodeContainer::Entry>& entries) {
  while (entries.size() < count) {
    ASSIGN_OR_RETURN(const size_t dialect,
                     offsets.ReadIndex("a dialect", dialects.size()));
    ASSIGN_OR_RETURN(const size_t group,
                     offsets.ReadCount("a number of entries"));
    if (group > count - entries.size()) {
      return offsets.Error(absl::StrCat("expected at most ",
                                        count - entries.size(),
                                        " entries, found ", group));
    }
    for (size_t i = 0; i < group; ++i) {
      ASSIGN_OR_RETURN(const ByteReader::Flagged size,
                       offsets.ReadFlagged("the size of an entry"));
      ASSIGN_OR_RETURN(ByteReader content,
                       data.ReadPart("an entry", size.value));
      entries.push_back({dialects[dialect], size.flag, std::move(content)});
    }
  }
  return absl::OkStatus();
}

absl::Status ReadEntryTables(const std::vector<absl::string_view>& dialects,
                             ByteReader offsets, ByteReader data,
                             BytecodeContainer& container) {
  ASSIGN_OR_RETURN(const size_t attributes,
                   offsets.ReadCount("a number of attributes"));
  ASSIGN_OR_RETURN(const size_t types, offsets.ReadCount("a number of types"));
  RETURN_IF_ERROR(offsets.CheckCount("attributes", attributes));
  RETURN_IF_ERROR(
      ReadEntries(attributes, dialects, offsets, data, container.attributes));
  RETURN_IF_ERROR(ReadEntries(types, dialects, offsets, data, container.types));
  return offsets.ExpectEnd("the offsets");
}

absl::StatusOr<std::vector<ByteReader>> ReadProperties(ByteReader section) {
  ASSIGN_OR_RETURN(const size_t count,
                   section.ReadCount("a number of properties"));
  std::vector<ByteReader> properties;
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const uint64_t size,
                     section.ReadVarint("the size of properties"));
    ASSIGN_OR_RETURN(ByteReader entry, section.ReadPart("properties", size));
    properties.push_back(std::move(entry));
  }
  return properties;
}

}  // namespace

absl::StatusOr<BytecodeContainer> ReadContainer(ByteReader file) {
  const size_t begin = file.offset();
  const ByteReader start(file);
  ASSIGN_OR_RETURN(const absl::string_view magic,
                   file.ReadBytes("the magic", kBytecodeMagic.size()));
  if (magic != kBytecodeMagic) {
    return start.Error("expected MLIR bytecode, found another begin");
  }
  BytecodeContainer container(file);
  ASSIGN_OR_RETURN(container.version, file.ReadVarint("a version"));
  if (container.version > kLatestVersion) {
    return start.Unimplemented(
        absl::StrCat("bytecode of version ", container.version,
                     " is not supported, only up to ", kLatestVersion));
  }
  ASSIGN_OR_RETURN(container.producer, file.ReadText("the producer"));
  ASSIGN_OR_RETURN(Sections sections, ReadSections(file, begin));
  for (const SectionId id :
       {kStrings, kDialects, kEntries, kEntryOffsets, kIr}) {
    if (!sections[id].has_value()) {
      return file.Error(absl::StrCat("expected a section ", kSectionNames[id],
                                     ", found none"));
    }
  }
  ASSIGN_OR_RETURN(container.strings, ReadStrings(*sections[kStrings]));
  ASSIGN_OR_RETURN(const std::vector<absl::string_view> dialects,
                   ReadDialects(*sections[kDialects], container));
  RETURN_IF_ERROR(ReadEntryTables(dialects, *sections[kEntryOffsets],
                                  *sections[kEntries], container));
  if (sections[kPropertySection].has_value()) {
    ASSIGN_OR_RETURN(container.properties,
                     ReadProperties(*sections[kPropertySection]));
  }
  container.ir = *sections[kIr];
  return container;
}

}  // namespace lockstep::internal
