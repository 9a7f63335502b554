#ifndef LOCKSTEP_RUNTIME_BASE_REGULAR_FILE_H_
#define LOCKSTEP_RUNTIME_BASE_REGULAR_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// A file that a user named, open for reading. Only regular files: devices
// and pipes may have no end, or wait for ever. Errors start with the path. Not
// thread-safe, except that any threads may use ReadAt at the same time.
class RegularFile {
 public:
  // INVALID_ARGUMENT names what else it is.
  static absl::StatusOr<RegularFile> Open(const std::string& path);
  RegularFile(RegularFile&& other) noexcept;
  RegularFile& operator=(RegularFile&&) = delete;
  ~RegularFile();

  // In bytes, when it was opened; 0 for files that the kernel makes.
  int64_t size() const { return size_; }
  // The next `count` bytes. INVALID_ARGUMENT when the file ends before.
  absl::Status Read(std::byte* data, int64_t count);
  // `count` bytes from `offset` on; leaves what is next for Read.
  // INVALID_ARGUMENT when the file ends before.
  absl::Status ReadAt(int64_t offset, std::byte* data, int64_t count) const;
  // The rest. RESOURCE_EXHAUSTED when that is more than `most` bytes.
  absl::StatusOr<std::string> ReadRest(int64_t most);

 private:
  RegularFile(std::string path, int file)
      : path_(std::move(path)), file_(file) {}

  std::string path_;
  int file_;
  int64_t size_ = 0;
  int64_t done_ = 0;
};

// A whole regular file of at most `most` bytes.
absl::StatusOr<std::string> ReadRegularFile(const std::string& path,
                                            int64_t most);

// Standard input to its end. `is_binary` is asked whether what begins with
// these bytes (64 KiB, or all there are) may be other than text.
// INVALID_ARGUMENT at a zero byte in what may not: what is no text, as a
// device, may have no end. RESOURCE_EXHAUSTED as above.
absl::StatusOr<std::string> ReadStandardInput(
    int64_t most, absl::FunctionRef<bool(absl::string_view start)> is_binary);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_REGULAR_FILE_H_
