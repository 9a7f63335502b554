#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BYTE_READER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BYTE_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/location.h"

namespace lockstep::internal {

// A part of a file, read from front to back. Every read checks that its bytes
// are there: INVALID_ARGUMENT "file:offset: expected .., found ..". The offset
// counts from the beginning of the file. Cheap to copy; the bytes belong to
// someone else.
class ByteReader {
 public:
  // `bytes` begin at `offset` of the file.
  ByteReader(absl::string_view bytes, size_t offset,
             std::shared_ptr<const std::string> file)
      : rest_(bytes), offset_(offset), file_(std::move(file)) {}

  bool AtEnd() const { return rest_.empty(); }
  size_t remaining() const { return rest_.size(); }
  size_t offset() const { return offset_; }
  // The next byte as a place: its line is the offset.
  Location location() const;

  // `what` is for messages.
  absl::StatusOr<uint8_t> ReadByte(absl::string_view what);
  absl::StatusOr<uint64_t> ReadVarint(absl::string_view what);
  absl::StatusOr<int64_t> ReadSignedVarint(absl::string_view what);
  // A varint whose lowest bit is a flag of its own.
  struct Flagged {
    uint64_t value;
    bool flag;
  };
  absl::StatusOr<Flagged> ReadFlagged(absl::string_view what);
  // A varint below `limit`.
  absl::StatusOr<size_t> ReadIndex(absl::string_view what, size_t limit);
  // A number of things that follow, of which each takes a byte or more.
  absl::StatusOr<size_t> ReadCount(absl::string_view what);
  absl::StatusOr<absl::string_view> ReadBytes(absl::string_view what,
                                              uint64_t size);
  absl::StatusOr<ByteReader> ReadPart(absl::string_view what, uint64_t size);
  // Up to a NUL, which is consumed.
  absl::StatusOr<absl::string_view> ReadText(absl::string_view what);

  // With the place of the next byte.
  absl::Status Error(absl::string_view message) const;
  absl::Status Unimplemented(absl::string_view message) const;
  // INVALID_ARGUMENT unless everything was read.
  absl::Status ExpectEnd(absl::string_view what) const;
  // INVALID_ARGUMENT unless `count` things of a byte or more can follow.
  absl::Status CheckCount(absl::string_view what, uint64_t count) const;

 private:
  void Skip(size_t size);

  absl::string_view rest_;
  size_t offset_;
  std::shared_ptr<const std::string> file_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BYTE_READER_H_
