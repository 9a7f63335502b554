#ifndef LOCKSTEP_RUNTIME_FILES_ZIP_READER_H_
#define LOCKSTEP_RUNTIME_FILES_ZIP_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/base/regular_file.h"

struct z_stream_s;

namespace lockstep::internal {

// One file in a ZIP archive.
struct ZipEntry {
  std::string name;
  uint16_t method = 0;
  uint32_t crc = 0;
  int64_t size = 0;         // bytes
  int64_t stored_size = 0;  // bytes in the archive, behind the headers
  int64_t offset = 0;       // of the local header
};

// The directory of a ZIP archive, and its entries, stored or deflated. Archives
// are not trusted: no memory is taken by what they say before it is checked
// against the size of the file. Errors start with the path: INVALID_ARGUMENT
// says what is wrong where; UNIMPLEMENTED: other methods of compression,
// encryption, several volumes. Threads may read different entries at once.
class ZipReader {
 public:
  static absl::StatusOr<ZipReader> Open(const std::string& path);

  const std::string& path() const { return path_; }
  // In the order of the directory.
  const std::vector<ZipEntry>& entries() const { return entries_; }

  // The bytes of one entry, from its beginning to its end.
  class EntryReader {
   public:
    EntryReader(EntryReader&&) noexcept;
    EntryReader& operator=(EntryReader&&) = delete;
    ~EntryReader();

    // The next `count` bytes. INVALID_ARGUMENT: the entry has fewer, does not
    // decompress, or its checksum is wrong, which the last byte shows.
    absl::Status Read(std::byte* data, int64_t count);

   private:
    friend class ZipReader;
    EntryReader(const ZipReader* archive, const ZipEntry* entry,
                int64_t offset);
    absl::Status Inflate(std::byte* data, int64_t count);
    absl::Status Wrong(const std::string& what) const;

    const ZipReader* archive_;  // outlives this
    const ZipEntry* entry_;
    int64_t offset_;       // of the next byte in the archive
    int64_t stored_left_;  // bytes there
    int64_t done_ = 0;
    uint64_t crc_ = 0;
    std::unique_ptr<z_stream_s> inflate_;  // null: stored
    std::string block_;
  };
  // `entry` is one of entries().
  absl::StatusOr<EntryReader> Read(const ZipEntry& entry) const;

 private:
  ZipReader(std::string path, RegularFile file)
      : path_(std::move(path)), file_(std::move(file)) {}
  // Where the directory lies, as the end of the file says.
  struct Directory {
    int64_t begin = 0;
    int64_t size = 0;
    int64_t count = 0;
  };
  absl::StatusOr<Directory> FindDirectory() const;
  absl::Status FindDirectory64(int64_t end, Directory* directory) const;
  absl::Status ReadDirectory(const Directory& directory);
  absl::Status CheckOverlaps(const Directory& directory) const;
  absl::StatusOr<std::string> Bytes(int64_t offset, int64_t count) const;
  absl::Status Wrong(const std::string& what) const;

  std::string path_;
  RegularFile file_;
  std::vector<ZipEntry> entries_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FILES_ZIP_READER_H_
