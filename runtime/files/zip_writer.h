#ifndef LOCKSTEP_RUNTIME_FILES_ZIP_WRITER_H_
#define LOCKSTEP_RUNTIME_FILES_ZIP_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/files/durable_file.h"

namespace lockstep::internal {

// Writes a ZIP archive with sizes of 64 bits. Equal entries give equal bytes:
// all have the date 1980-01-01. Not thread-safe.
class ZipWriter {
 public:
  // `file` is empty and outlives this.
  explicit ZipWriter(DurableFile* file) : file_(*file) {}

  // An entry of `parts`, one after the other; deflated where `is_compressed`.
  absl::Status Add(absl::string_view name,
                   absl::Span<const absl::string_view> parts,
                   bool is_compressed);
  // The directory, after all entries. The file is not committed.
  absl::Status Finish();

 private:
  struct Entry {
    std::string name;
    uint16_t method = 0;
    uint32_t crc = 0;
    int64_t size = 0;
    int64_t stored_size = 0;
    int64_t offset = 0;
  };
  static std::string LocalHeader(const Entry& entry);
  static std::string CentralHeader(const Entry& entry);
  absl::Status Deflate(absl::Span<const absl::string_view> parts);

  DurableFile& file_;
  std::vector<Entry> entries_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FILES_ZIP_WRITER_H_
