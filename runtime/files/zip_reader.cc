#include "runtime/files/zip_reader.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/status.h"
#include "runtime/files/zip_format.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kLongestComment = 0xFFFF;
constexpr int64_t kLongestDirectory = int64_t{1} << 28;
constexpr int64_t kBlock = int64_t{1} << 18;
// deflate makes at most this of a byte (zlib's documentation).
constexpr int64_t kMostInflation = 1032;

// As it may stand in a 64 bit number of the file; -1: no length of a file.
int64_t LengthOf(uint64_t number) {
  return number > uint64_t{std::numeric_limits<int64_t>::max()}
             ? -1
             : static_cast<int64_t>(number);
}

// Takes the numbers of a central header that stand in its ZIP64 extra field.
// False: it lacks one.
bool TakeZip64(absl::string_view extra, uint64_t* size, uint64_t* stored_size,
               uint64_t* offset) {
  bool is_found = false;
  while (extra.size() >= 4) {
    const auto kind = NumberAt<uint16_t>(extra, 0);
    const size_t length = NumberAt<uint16_t>(extra, 2);
    if (extra.size() - 4 < length) return false;
    absl::string_view field = extra.substr(4, length);
    extra.remove_prefix(4 + length);
    if (kind != kZip64Extra) continue;
    is_found = true;
    for (uint64_t* number : {size, stored_size, offset}) {
      if (*number != kZipElsewhere32) continue;
      if (field.size() < 8) return false;
      *number = NumberAt<uint64_t>(field, 0);
      field.remove_prefix(8);
    }
  }
  return is_found;
}

}  // namespace

absl::Status ZipReader::Wrong(const std::string& what) const {
  return absl::InvalidArgumentError(absl::StrCat(path_, ": zip: ", what));
}

absl::StatusOr<std::string> ZipReader::Bytes(int64_t offset,
                                             int64_t count) const {
  if (offset < 0 || count < 0 || offset > file_.size() ||
      count > file_.size() - offset) {
    return Wrong(absl::StrCat("expected ", count, " bytes at ", offset,
                              ", but the file has ", file_.size()));
  }
  std::string bytes(static_cast<size_t>(count), '\0');
  RETURN_IF_ERROR(
      file_.ReadAt(offset, reinterpret_cast<std::byte*>(bytes.data()), count));
  return bytes;
}

absl::StatusOr<ZipReader> ZipReader::Open(const std::string& path) {
  ASSIGN_OR_RETURN(RegularFile file, RegularFile::Open(path));
  ZipReader reader(path, std::move(file));
  ASSIGN_OR_RETURN(const Directory directory, reader.FindDirectory());
  RETURN_IF_ERROR(reader.ReadDirectory(directory));
  RETURN_IF_ERROR(reader.CheckOverlaps(directory));
  return reader;
}

absl::StatusOr<ZipReader::Directory> ZipReader::FindDirectory() const {
  const int64_t tail = std::min(file_.size(), kZipEndSize + kLongestComment);
  ASSIGN_OR_RETURN(const std::string bytes, Bytes(file_.size() - tail, tail));
  std::string signature;
  AppendNumber<uint32_t>(kZipEnd, &signature);
  for (int64_t at = tail - kZipEndSize; at >= 0; --at) {
    const absl::string_view end = absl::string_view(bytes).substr(at);
    if (end.substr(0, 4) != signature ||
        NumberAt<uint16_t>(end, 20) != end.size() - kZipEndSize) {
      continue;
    }
    Directory directory;
    directory.count = NumberAt<uint16_t>(end, 10);
    directory.size = NumberAt<uint32_t>(end, 12);
    directory.begin = NumberAt<uint32_t>(end, 16);
    const int64_t end_offset = file_.size() - tail + at;
    if (NumberAt<uint16_t>(end, 4) != 0 &&
        NumberAt<uint16_t>(end, 4) != kZipElsewhere16) {
      return absl::UnimplementedError(
          absl::StrCat(path_, ": zip: several volumes are not supported"));
    }
    RETURN_IF_ERROR(FindDirectory64(end_offset, &directory));
    if (directory.begin < 0 || directory.size < 0 ||
        directory.begin > end_offset ||
        directory.size > end_offset - directory.begin ||
        directory.size > kLongestDirectory || directory.count < 0 ||
        directory.count > directory.size / kZipCentralHeaderSize) {
      return Wrong(absl::StrCat("expected a directory of at most ",
                                kLongestDirectory, " bytes before ", end_offset,
                                ", found ", directory.count, " entries in ",
                                directory.size, " bytes at ", directory.begin));
    }
    return directory;
  }
  return Wrong(
      "expected the end of an archive, found none: not an archive, "
      "or cut off");
}

absl::Status ZipReader::FindDirectory64(int64_t end,
                                        Directory* directory) const {
  if (end < kZip64LocatorSize) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::string locator,
                   Bytes(end - kZip64LocatorSize, kZip64LocatorSize));
  if (NumberAt<uint32_t>(locator, 0) != kZip64Locator) return absl::OkStatus();
  ASSIGN_OR_RETURN(
      const std::string record,
      Bytes(LengthOf(NumberAt<uint64_t>(locator, 8)), kZip64EndSize));
  if (NumberAt<uint32_t>(record, 0) != kZip64End) {
    return Wrong("expected the end of the directory where its locator says");
  }
  directory->count = LengthOf(NumberAt<uint64_t>(record, 32));
  directory->size = LengthOf(NumberAt<uint64_t>(record, 40));
  directory->begin = LengthOf(NumberAt<uint64_t>(record, 48));
  return absl::OkStatus();
}

absl::Status ZipReader::ReadDirectory(const Directory& directory) {
  ASSIGN_OR_RETURN(const std::string bytes,
                   Bytes(directory.begin, directory.size));
  absl::string_view rest = bytes;
  for (int64_t i = 0; i < directory.count; ++i) {
    const auto at = directory.begin + static_cast<int64_t>(bytes.size()) -
                    static_cast<int64_t>(rest.size());
    if (rest.size() < kZipCentralHeaderSize ||
        NumberAt<uint32_t>(rest, 0) != kZipCentralHeader) {
      return Wrong(absl::StrCat("expected entry ", i, " of ", directory.count,
                                " of the directory at ", at));
    }
    const size_t name = NumberAt<uint16_t>(rest, 28);
    const size_t extra = NumberAt<uint16_t>(rest, 30);
    const size_t comment = NumberAt<uint16_t>(rest, 32);
    if (rest.size() - kZipCentralHeaderSize < name + extra + comment) {
      return Wrong(absl::StrCat("the directory ends within entry ", i));
    }
    ZipEntry entry;
    entry.name = std::string(rest.substr(kZipCentralHeaderSize, name));
    entry.method = NumberAt<uint16_t>(rest, 10);
    entry.crc = NumberAt<uint32_t>(rest, 16);
    uint64_t stored_size = NumberAt<uint32_t>(rest, 20);
    uint64_t size = NumberAt<uint32_t>(rest, 24);
    uint64_t offset = NumberAt<uint32_t>(rest, 42);
    const bool is_elsewhere =
        std::max({stored_size, size, offset}) == uint64_t{kZipElsewhere32};
    if (is_elsewhere &&
        !TakeZip64(rest.substr(kZipCentralHeaderSize + name, extra), &size,
                   &stored_size, &offset)) {
      return Wrong(absl::StrCat("entry ", i, " lacks its sizes of 64 bits"));
    }
    if ((NumberAt<uint16_t>(rest, 8) & kZipEncrypted) != 0) {
      return absl::UnimplementedError(absl::StrCat(
          path_, ": zip: ", entry.name, ": encryption is not supported"));
    }
    entry.size = LengthOf(size);
    entry.stored_size = LengthOf(stored_size);
    entry.offset = LengthOf(offset);
    entries_.push_back(std::move(entry));
    rest.remove_prefix(kZipCentralHeaderSize + name + extra + comment);
  }
  return absl::OkStatus();
}

// Entries that share bytes are how small archives become large.
absl::Status ZipReader::CheckOverlaps(const Directory& directory) const {
  std::vector<const ZipEntry*> sorted;
  for (const ZipEntry& entry : entries_) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const ZipEntry* a, const ZipEntry* b) {
              return a->offset < b->offset;
            });
  for (size_t i = 0; i < sorted.size(); ++i) {
    const ZipEntry& entry = *sorted[i];
    const int64_t end =
        i + 1 < sorted.size() ? sorted[i + 1]->offset : directory.begin;
    const int64_t room = entry.offset < 0 || end < entry.offset
                             ? -1
                             : end - entry.offset - kZipLocalHeaderSize;
    if (entry.size < 0 || entry.stored_size < 0 || entry.stored_size > room) {
      return Wrong(absl::StrCat(entry.name, ": expected an entry of at most ",
                                std::max<int64_t>(room, 0), " bytes at ",
                                entry.offset, ", found ", entry.stored_size));
    }
    const int64_t most = entry.method == kZipStored
                             ? entry.stored_size
                             : (entry.stored_size + 1) * kMostInflation;
    if (entry.size > most ||
        (entry.method == kZipStored && entry.size != most)) {
      return Wrong(absl::StrCat(entry.name, ": ", entry.stored_size,
                                " bytes cannot hold ", entry.size));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ZipReader::EntryReader> ZipReader::Read(
    const ZipEntry& entry) const {
  if (entry.method != kZipStored && entry.method != kZipDeflated) {
    return absl::UnimplementedError(
        absl::StrCat(path_, ": zip: ", entry.name, ": compression method ",
                     entry.method, " is not supported"));
  }
  ASSIGN_OR_RETURN(const std::string header,
                   Bytes(entry.offset, kZipLocalHeaderSize));
  const auto wrong_header = [&] {
    return Wrong(
        absl::StrCat(entry.name, ": expected its header at ", entry.offset));
  };
  if (NumberAt<uint32_t>(header, 0) != kZipLocalHeader) return wrong_header();
  const int64_t name = NumberAt<uint16_t>(header, 26);
  const int64_t offset = entry.offset + kZipLocalHeaderSize + name +
                         NumberAt<uint16_t>(header, 28);
  ASSIGN_OR_RETURN(const std::string found,
                   Bytes(entry.offset + kZipLocalHeaderSize, name));
  if (found != entry.name) return wrong_header();
  if (entry.stored_size > file_.size() - offset) {
    return Wrong(absl::StrCat(entry.name, ": expected ", entry.stored_size,
                              " bytes at ", offset, ", but the file has ",
                              file_.size()));
  }
  EntryReader reader(this, &entry, offset);
  if (entry.method == kZipDeflated) {
    reader.inflate_ = std::make_unique<z_stream>();
    if (inflateInit2(reader.inflate_.get(), -MAX_WBITS) != Z_OK) {
      return absl::ResourceExhaustedError(
          absl::StrCat(path_, ": no memory to decompress"));
    }
  }
  return reader;
}

ZipReader::EntryReader::EntryReader(const ZipReader* archive,
                                    const ZipEntry* entry, int64_t offset)
    : archive_(archive),
      entry_(entry),
      offset_(offset),
      stored_left_(entry->stored_size) {}
ZipReader::EntryReader::EntryReader(EntryReader&&) noexcept = default;
ZipReader::EntryReader::~EntryReader() {
  if (inflate_ != nullptr) inflateEnd(inflate_.get());
}

absl::Status ZipReader::EntryReader::Wrong(const std::string& what) const {
  return archive_->Wrong(absl::StrCat(entry_->name, ": ", what));
}

absl::Status ZipReader::EntryReader::Read(std::byte* data, int64_t count) {
  if (count > entry_->size - done_) {
    return Wrong(absl::StrCat("expected ", done_ + count, " bytes, found ",
                              entry_->size));
  }
  if (inflate_ != nullptr) {
    RETURN_IF_ERROR(Inflate(data, count));
  } else {
    RETURN_IF_ERROR(archive_->file_.ReadAt(offset_, data, count));
    offset_ += count;
  }
  done_ += count;
  crc_ = crc32_z(crc_, reinterpret_cast<const Bytef*>(data), count);
  if (done_ == entry_->size && crc_ != entry_->crc) {
    return Wrong("the checksum of the data is not that of the directory");
  }
  return absl::OkStatus();
}

absl::Status ZipReader::EntryReader::Inflate(std::byte* data, int64_t count) {
  z_stream& stream = *inflate_;
  while (count > 0) {
    if (stream.avail_in == 0 && stored_left_ > 0) {
      const int64_t next = std::min(stored_left_, kBlock);
      block_.resize(static_cast<size_t>(next));
      RETURN_IF_ERROR(archive_->file_.ReadAt(
          offset_, reinterpret_cast<std::byte*>(block_.data()), next));
      offset_ += next;
      stored_left_ -= next;
      stream.next_in = reinterpret_cast<Bytef*>(block_.data());
      stream.avail_in = static_cast<uInt>(next);
    }
    const int64_t room = std::min<int64_t>(count, int64_t{1} << 30);
    stream.next_out = reinterpret_cast<Bytef*>(data);
    stream.avail_out = static_cast<uInt>(room);
    const int result = inflate(&stream, Z_NO_FLUSH);
    const int64_t made = room - stream.avail_out;
    data += made;
    count -= made;
    if (count > 0 && made == 0 &&
        (result != Z_OK || (stream.avail_in == 0 && stored_left_ == 0))) {
      return Wrong("the compressed data is damaged, or cut off");
    }
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
