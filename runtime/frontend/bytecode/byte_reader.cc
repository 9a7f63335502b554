#include "runtime/frontend/bytecode/byte_reader.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

Location ByteReader::location() const {
  Location location;
  location.file = file_;
  location.line = static_cast<int>(
      std::min<size_t>(offset_, std::numeric_limits<int>::max()));
  return location;
}

void ByteReader::Skip(size_t size) {
  rest_.remove_prefix(size);
  offset_ += size;
}

absl::StatusOr<uint8_t> ByteReader::ReadByte(absl::string_view what) {
  ASSIGN_OR_RETURN(const absl::string_view byte, ReadBytes(what, 1));
  return static_cast<uint8_t>(byte[0]);
}

absl::StatusOr<uint64_t> ByteReader::ReadVarint(absl::string_view what) {
  if (AtEnd()) return Error(absl::StrCat("expected ", what, ", found the end"));
  const auto first = static_cast<uint8_t>(rest_[0]);
  // The zeros below the lowest bit say how many bytes follow.
  const size_t more = first == 0 ? 8 : std::countr_zero(first);
  ASSIGN_OR_RETURN(const absl::string_view bytes, ReadBytes(what, more + 1));
  uint64_t word = 0;
  for (size_t i = more == 8 ? 1 : 0; i <= more; ++i) {
    const uint64_t byte = static_cast<uint8_t>(bytes[i]);
    word |= byte << (8 * (more == 8 ? i - 1 : i));
  }
  return more == 8 ? word : word >> (more + 1);
}

absl::StatusOr<int64_t> ByteReader::ReadSignedVarint(absl::string_view what) {
  ASSIGN_OR_RETURN(const uint64_t zigzag, ReadVarint(what));
  return static_cast<int64_t>((zigzag >> 1) ^ (~(zigzag & 1) + 1));
}

absl::StatusOr<ByteReader::Flagged> ByteReader::ReadFlagged(
    absl::string_view what) {
  ASSIGN_OR_RETURN(const uint64_t word, ReadVarint(what));
  return Flagged{word >> 1, (word & 1) != 0};
}

absl::StatusOr<size_t> ByteReader::ReadIndex(absl::string_view what,
                                             size_t limit) {
  const ByteReader before(*this);
  ASSIGN_OR_RETURN(const uint64_t index, ReadVarint(what));
  if (index < limit) return static_cast<size_t>(index);
  return before.Error(
      absl::StrCat("expected ", what, " below ", limit, ", found ", index));
}

absl::StatusOr<size_t> ByteReader::ReadCount(absl::string_view what) {
  ASSIGN_OR_RETURN(const uint64_t count, ReadVarint(what));
  RETURN_IF_ERROR(CheckCount(what, count));
  return static_cast<size_t>(count);
}

absl::Status ByteReader::CheckCount(absl::string_view what,
                                    uint64_t count) const {
  if (count <= remaining()) return absl::OkStatus();
  return Error(absl::StrCat("expected ", what, " of at most the ", remaining(),
                            " bytes that follow, found ", count));
}

absl::StatusOr<absl::string_view> ByteReader::ReadBytes(absl::string_view what,
                                                        uint64_t size) {
  if (size > remaining()) {
    return Error(absl::StrCat("expected ", what, " of ", size, " bytes, found ",
                              remaining()));
  }
  const absl::string_view bytes = rest_.substr(0, static_cast<size_t>(size));
  Skip(bytes.size());
  return bytes;
}

absl::StatusOr<ByteReader> ByteReader::ReadPart(absl::string_view what,
                                                uint64_t size) {
  const size_t begin = offset_;
  ASSIGN_OR_RETURN(const absl::string_view bytes, ReadBytes(what, size));
  return ByteReader(bytes, begin, file_);
}

absl::StatusOr<absl::string_view> ByteReader::ReadText(absl::string_view what) {
  const size_t end = rest_.find('\0');
  if (end == absl::string_view::npos) {
    return Error(absl::StrCat("expected ", what, " that ends in a NUL"));
  }
  const absl::string_view text = rest_.substr(0, end);
  Skip(end + 1);
  return text;
}

absl::Status ByteReader::Error(absl::string_view message) const {
  return absl::InvalidArgumentError(
      absl::StrCat(*file_, ":", offset_, ": ", message));
}

absl::Status ByteReader::Unimplemented(absl::string_view message) const {
  return absl::UnimplementedError(
      absl::StrCat(*file_, ":", offset_, ": ", message));
}

absl::Status ByteReader::ExpectEnd(absl::string_view what) const {
  if (AtEnd()) return absl::OkStatus();
  return Error(absl::StrCat("expected the end of ", what, ", found ",
                            remaining(), " more bytes"));
}

}  // namespace lockstep::internal
