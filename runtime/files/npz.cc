#include "runtime/files/npz.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/files/durable_file.h"
#include "runtime/files/zip_writer.h"
#include "runtime/types/canonical_elements.h"
#include "runtime/types/npy.h"
#include "runtime/types/npy_header.h"

namespace lockstep {

using internal::Annotate;
using internal::CanonicalizeElements;
using internal::DurableFile;
using internal::FormatNpyHeader;
using internal::NpyHeader;
using internal::ParseNpyHeader;
using internal::ZipEntry;
using internal::ZipReader;
using internal::ZipWriter;

namespace {

constexpr absl::string_view kSuffix = ".npy";
// Magic, version and the longest length of a header.
constexpr int64_t kLengthEnd = 12;

std::byte* BytesOf(std::string& text) {
  return reinterpret_cast<std::byte*>(text.data());
}

// Reads what follows `bytes` until it has `size`, or the entry ends.
absl::Status Extend(ZipReader::EntryReader& reader, const ZipEntry& entry,
                    int64_t size, std::string* bytes) {
  const auto done = static_cast<int64_t>(bytes->size());
  const int64_t more = std::min(size, entry.size) - done;
  if (more <= 0) return absl::OkStatus();
  bytes->resize(static_cast<size_t>(done + more));
  return reader.Read(BytesOf(*bytes) + done, more);
}

// From the magic to the newline; less where it is damaged.
absl::StatusOr<std::string> ReadStart(ZipReader::EntryReader& reader,
                                      const ZipEntry& entry) {
  std::string start;
  RETURN_IF_ERROR(Extend(reader, entry, kLengthEnd, &start));
  if (static_cast<int64_t>(start.size()) < kLengthEnd) return start;
  const auto byte = [&](size_t i) {
    return int64_t{static_cast<unsigned char>(start[i])};
  };
  int64_t length = byte(8) | byte(9) << 8;
  if (byte(6) == 1) {
    length += 10;
  } else {
    length |= byte(10) << 16 | byte(11) << 24;
    length += kLengthEnd;
  }
  // Longer ones are refused by whoever parses.
  constexpr int64_t kLongest = int64_t{1} << 20;
  RETURN_IF_ERROR(Extend(reader, entry, std::min(length, kLongest), &start));
  return start;
}

absl::StatusOr<Literal> ReadArray(const ZipReader& archive,
                                  const ZipEntry& entry,
                                  std::optional<ElementType> opaque_type) {
  ASSIGN_OR_RETURN(ZipReader::EntryReader reader, archive.Read(entry));
  ASSIGN_OR_RETURN(std::string start, ReadStart(reader, entry));
  const std::string where = absl::StrCat(archive.path(), ": ", entry.name);
  const absl::StatusOr<NpyHeader> header = ParseNpyHeader(start, opaque_type);
  if (!header.ok()) return Annotate(header.status(), where);
  const int64_t data_bytes = entry.size - header->data_offset;
  if (data_bytes != header->shape.byte_size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(where, ": npy: expected ", header->shape.byte_size(),
                     " bytes of data for ", header->shape.ToString(),
                     ", found ", data_bytes));
  }
  if (header->is_big_endian || header->is_fortran_order) {
    RETURN_IF_ERROR(Extend(reader, entry, entry.size, &start));
    absl::StatusOr<Literal> array = ParseNpy(start, opaque_type);
    if (!array.ok()) return Annotate(array.status(), where);
    return array;
  }
  ASSIGN_OR_RETURN(Literal array, Literal::Allocate(header->shape));
  // Some of the data of a small array was read with the header.
  const absl::string_view known =
      absl::string_view(start).substr(header->data_offset);
  std::copy(known.begin(), known.end(),
            reinterpret_cast<char*>(array.mutable_bytes()));
  const auto known_bytes = static_cast<int64_t>(known.size());
  RETURN_IF_ERROR(reader.Read(array.mutable_bytes() + known_bytes,
                              data_bytes - known_bytes));
  CanonicalizeElements(array.mutable_view());
  return array;
}

absl::Status AddArrays(const std::map<std::string, LiteralView>& arrays,
                       const NpzOptions& options, DurableFile& file) {
  ZipWriter archive(&file);
  for (const auto& [name, array] : arrays) {
    const std::string header = FormatNpyHeader(array.shape());
    const absl::Span<const std::byte> data = array.byte_span();
    RETURN_IF_ERROR(archive.Add(
        name.empty() ? name : absl::StrCat(name, kSuffix),
        {header, absl::string_view(reinterpret_cast<const char*>(data.data()),
                                   data.size())},
        options.is_compressed));
  }
  return archive.Finish();
}

}  // namespace

absl::StatusOr<NpzFile> NpzFile::Open(const std::string& path) {
  ASSIGN_OR_RETURN(ZipReader archive, ZipReader::Open(path));
  NpzFile file(std::move(archive));
  const std::vector<ZipEntry>& entries = file.archive_.entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string name(absl::StripSuffix(entries[i].name, kSuffix));
    if (!file.entries_.emplace(name, i).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": expected every name once, found \"", name, "\" twice"));
    }
  }
  return file;
}

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

std::vector<std::string> NpzFile::names_as_stored() const {
  std::vector<std::string> names(entries_.size());
  for (const auto& [name, entry] : entries_) names[entry] = name;
  return names;
}

absl::StatusOr<Literal> NpzFile::Read(
    absl::string_view name, std::optional<ElementType> opaque_type) const {
  const auto it = entries_.find(name);
  if (it == entries_.end()) {
    return absl::NotFoundError(
        absl::StrCat(archive_.path(), ": no array \"", name, "\""));
  }
  return ReadArray(archive_, archive_.entries()[it->second], opaque_type);
}

absl::StatusOr<std::map<std::string, Literal>> ReadNpzFile(
    const std::string& path,
    const std::map<std::string, ElementType>& opaque_types) {
  ASSIGN_OR_RETURN(const NpzFile file, NpzFile::Open(path));
  std::map<std::string, Literal> arrays;
  for (const std::string& name : file.names()) {
    const auto opaque = opaque_types.find(name);
    ASSIGN_OR_RETURN(Literal array,
                     file.Read(name, opaque == opaque_types.end()
                                         ? std::nullopt
                                         : std::optional(opaque->second)));
    arrays.emplace(name, std::move(array));
  }
  return arrays;
}

absl::Status WriteNpzFile(const std::string& path,
                          const std::map<std::string, LiteralView>& arrays,
                          const NpzOptions& options) {
  ASSIGN_OR_RETURN(DurableFile file, DurableFile::Create(path));
  const absl::Status written = AddArrays(arrays, options, file);
  if (!written.ok()) return Annotate(written, path);
  return file.Commit();
}

}  // namespace lockstep
