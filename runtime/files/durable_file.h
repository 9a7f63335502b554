#ifndef LOCKSTEP_RUNTIME_FILES_DURABLE_FILE_H_
#define LOCKSTEP_RUNTIME_FILES_DURABLE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lockstep::internal {

// A file being written that appears under its name whole, or not at all:
// whoever opens that name finds what was there before, or all that Commit
// wrote, also after the process was killed or the machine has lost its power.
// Until then the bytes are in a file beside it whose name ends in ".tmp"; the
// destructor removes that. Errors start with the path. Not thread-safe.
class DurableFile {
 public:
  // `path` may name a file already, which Commit replaces.
  static absl::StatusOr<DurableFile> Create(std::string path);
  DurableFile(DurableFile&& other) noexcept;
  DurableFile& operator=(DurableFile&&) = delete;
  ~DurableFile();

  // Bytes written so far: where the next ones go.
  int64_t size() const { return size_; }
  absl::Status Write(absl::Span<const std::byte> bytes);
  absl::Status Write(absl::string_view bytes) {
    return Write(absl::MakeConstSpan(
        reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()));
  }
  // Writes over bytes that have been written.
  absl::Status Rewrite(int64_t offset, absl::string_view bytes);
  // Waits for the disk: the bytes first, then the name.
  absl::Status Commit();

 private:
  DurableFile(std::string path, std::string temporary, int file)
      : path_(std::move(path)), temporary_(std::move(temporary)), file_(file) {}
  absl::Status WriteAt(int64_t offset, absl::Span<const std::byte> bytes);

  std::string path_;
  std::string temporary_;
  int file_;  // -1: committed, or moved from
  int64_t size_ = 0;
};

// Waits until the names in the directory are on the disk.
absl::Status SyncDirectory(const std::string& path);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FILES_DURABLE_FILE_H_
