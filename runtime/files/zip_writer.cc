#include "runtime/files/zip_writer.h"

#include <zlib.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/files/zip_format.h"

namespace lockstep::internal {
namespace {

constexpr uint16_t kVersion = 45;      // the first one with ZIP64
constexpr uint16_t kUnix = 3 << 8;     // who made it
constexpr uint16_t kFirstDate = 0x21;  // 1980-01-01
constexpr size_t kBlock = size_t{1} << 18;

const Bytef* BytesOf(absl::string_view text) {
  return reinterpret_cast<const Bytef*>(text.data());
}

uint16_t FlagsOf(absl::string_view name) {
  const bool is_ascii = std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x80;
  });
  return is_ascii ? 0 : kZipUtf8;
}

}  // namespace

std::string ZipWriter::LocalHeader(const Entry& entry) {
  std::string header;
  AppendNumber<uint32_t>(kZipLocalHeader, &header);
  AppendNumber<uint16_t>(kVersion, &header);
  AppendNumber<uint16_t>(FlagsOf(entry.name), &header);
  AppendNumber<uint16_t>(entry.method, &header);
  AppendNumber<uint16_t>(0, &header);
  AppendNumber<uint16_t>(kFirstDate, &header);
  AppendNumber<uint32_t>(entry.crc, &header);
  AppendNumber<uint32_t>(kZipElsewhere32, &header);
  AppendNumber<uint32_t>(kZipElsewhere32, &header);
  AppendNumber<uint16_t>(static_cast<uint16_t>(entry.name.size()), &header);
  AppendNumber<uint16_t>(20, &header);
  absl::StrAppend(&header, entry.name);
  AppendNumber<uint16_t>(kZip64Extra, &header);
  AppendNumber<uint16_t>(16, &header);
  AppendNumber<uint64_t>(entry.size, &header);
  AppendNumber<uint64_t>(entry.stored_size, &header);
  return header;
}

std::string ZipWriter::CentralHeader(const Entry& entry) {
  std::string header;
  AppendNumber<uint32_t>(kZipCentralHeader, &header);
  AppendNumber<uint16_t>(kVersion | kUnix, &header);
  AppendNumber<uint16_t>(kVersion, &header);
  AppendNumber<uint16_t>(FlagsOf(entry.name), &header);
  AppendNumber<uint16_t>(entry.method, &header);
  AppendNumber<uint16_t>(0, &header);
  AppendNumber<uint16_t>(kFirstDate, &header);
  AppendNumber<uint32_t>(entry.crc, &header);
  AppendNumber<uint32_t>(kZipElsewhere32, &header);
  AppendNumber<uint32_t>(kZipElsewhere32, &header);
  AppendNumber<uint16_t>(static_cast<uint16_t>(entry.name.size()), &header);
  AppendNumber<uint16_t>(28, &header);
  AppendNumber<uint16_t>(0, &header);               // comment
  AppendNumber<uint16_t>(0, &header);               // disk
  AppendNumber<uint16_t>(0, &header);               // binary
  AppendNumber<uint32_t>(0100644u << 16, &header);  // mode
  AppendNumber<uint32_t>(kZipElsewhere32, &header);
  absl::StrAppend(&header, entry.name);
  AppendNumber<uint16_t>(kZip64Extra, &header);
  AppendNumber<uint16_t>(24, &header);
  AppendNumber<uint64_t>(entry.size, &header);
  AppendNumber<uint64_t>(entry.stored_size, &header);
  AppendNumber<uint64_t>(entry.offset, &header);
  return header;
}

absl::Status ZipWriter::Add(absl::string_view name,
                            absl::Span<const absl::string_view> parts,
                            bool is_compressed) {
  if (name.empty() || name.size() > 0xFFFF) {
    return absl::InvalidArgumentError(
        absl::StrCat("zip: expected a name of 1 to 65535 bytes, found ",
                     name.size(), " bytes"));
  }
  Entry entry;
  entry.name = std::string(name);
  entry.method = is_compressed ? kZipDeflated : kZipStored;
  entry.offset = file_.size();
  // What is not known yet is written over below.
  RETURN_IF_ERROR(file_.Write(LocalHeader(entry)));
  const int64_t begin = file_.size();
  uLong crc = crc32(0, nullptr, 0);
  for (const absl::string_view part : parts) {
    crc = crc32_z(crc, BytesOf(part), part.size());
    entry.size += static_cast<int64_t>(part.size());
    if (!is_compressed) RETURN_IF_ERROR(file_.Write(part));
  }
  if (is_compressed) RETURN_IF_ERROR(Deflate(parts));
  entry.crc = static_cast<uint32_t>(crc);
  entry.stored_size = file_.size() - begin;
  RETURN_IF_ERROR(file_.Rewrite(entry.offset, LocalHeader(entry)));
  entries_.push_back(std::move(entry));
  return absl::OkStatus();
}

absl::Status ZipWriter::Deflate(absl::Span<const absl::string_view> parts) {
  z_stream stream = {};
  // Without zlib's own header, as archives have it.
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return absl::ResourceExhaustedError("zip: no memory to compress");
  }
  absl::Status status;
  std::string out(kBlock, '\0');
  const auto run = [&](absl::string_view bytes, int flush) {
    stream.next_in = const_cast<Bytef*>(BytesOf(bytes));
    stream.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      deflate(&stream, flush);
      status = file_.Write(
          absl::string_view(out.data(), out.size() - stream.avail_out));
    } while (status.ok() && stream.avail_out == 0);
  };
  for (absl::string_view part : parts) {
    while (status.ok() && !part.empty()) {
      run(part.substr(0, kBlock), Z_NO_FLUSH);
      part.remove_prefix(std::min(kBlock, part.size()));
    }
  }
  if (status.ok()) run({}, Z_FINISH);
  deflateEnd(&stream);
  return status;
}

absl::Status ZipWriter::Finish() {
  const int64_t begin = file_.size();
  for (const Entry& entry : entries_) {
    RETURN_IF_ERROR(file_.Write(CentralHeader(entry)));
  }
  const int64_t end = file_.size();
  const uint64_t count = entries_.size();
  std::string tail;
  AppendNumber<uint32_t>(kZip64End, &tail);
  AppendNumber<uint64_t>(kZip64EndSize - 12, &tail);  // of what follows
  AppendNumber<uint16_t>(kVersion | kUnix, &tail);
  AppendNumber<uint16_t>(kVersion, &tail);
  AppendNumber<uint32_t>(0, &tail);  // disks
  AppendNumber<uint32_t>(0, &tail);
  AppendNumber<uint64_t>(count, &tail);
  AppendNumber<uint64_t>(count, &tail);
  AppendNumber<uint64_t>(end - begin, &tail);
  AppendNumber<uint64_t>(begin, &tail);
  AppendNumber<uint32_t>(kZip64Locator, &tail);
  AppendNumber<uint32_t>(0, &tail);
  AppendNumber<uint64_t>(end, &tail);
  AppendNumber<uint32_t>(1, &tail);
  // Numbers that fit are here too, for readers that know no ZIP64.
  const auto count16 =
      static_cast<uint16_t>(std::min<uint64_t>(count, kZipElsewhere16));
  const auto fit32 = [](int64_t number) {
    return static_cast<uint32_t>(
        std::min<uint64_t>(static_cast<uint64_t>(number), kZipElsewhere32));
  };
  AppendNumber<uint32_t>(kZipEnd, &tail);
  AppendNumber<uint16_t>(0, &tail);
  AppendNumber<uint16_t>(0, &tail);
  AppendNumber<uint16_t>(count16, &tail);
  AppendNumber<uint16_t>(count16, &tail);
  AppendNumber<uint32_t>(fit32(end - begin), &tail);
  AppendNumber<uint32_t>(fit32(begin), &tail);
  AppendNumber<uint16_t>(0, &tail);
  return file_.Write(tail);
}

}  // namespace lockstep::internal
