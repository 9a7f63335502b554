#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/types/npy.h"
#include "runtime/types/npy_data.h"
#include "runtime/types/npy_header.h"

namespace lockstep {

using internal::Annotate;
using internal::FormatNpyHeader;
using internal::kLongestNpyStart;
using internal::NpyHeader;
using internal::ParseNpyHeader;

namespace {

absl::Status ErrnoStatus(const std::string& path, absl::string_view action) {
  return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot ", action));
}

class OpenFile {
 public:
  static absl::StatusOr<OpenFile> ForReading(const std::string& path);
  OpenFile(OpenFile&& other) noexcept
      : path_(other.path_),
        file_(std::exchange(other.file_, -1)),
        size_(other.size_) {}
  ~OpenFile() {
    if (file_ >= 0) close(file_);
  }

  int64_t size() const { return size_; }
  // The next `count` bytes.
  absl::Status Read(std::byte* data, int64_t count);

 private:
  OpenFile(const std::string& path, int file) : path_(path), file_(file) {}

  const std::string& path_;
  int file_;
  int64_t size_ = 0;
  int64_t done_ = 0;
};

absl::StatusOr<OpenFile> OpenFile::ForReading(const std::string& path) {
  // A pipe without a writer is not waited for.
  OpenFile file(path, open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.file_ < 0) return ErrnoStatus(path, "open");
  struct stat info;
  if (fstat(file.file_, &info) != 0) return ErrnoStatus(path, "read");
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected a regular file"));
  }
  file.size_ = info.st_size;
  return file;
}

absl::Status OpenFile::Read(std::byte* data, int64_t count) {
  const int64_t end = done_ + count;
  while (done_ < end) {
    const ssize_t n = read(file_, data, static_cast<size_t>(end - done_));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ErrnoStatus(path_, "read");
    if (n == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(path_, ": expected ", size_, " bytes, found ", done_));
    }
    data += n;
    done_ += n;
  }
  return absl::OkStatus();
}

// All that a header may be in, and some of the data.
absl::StatusOr<std::string> ReadStart(OpenFile& file) {
  std::string start(
      static_cast<size_t>(std::min(file.size(), kLongestNpyStart)), '\0');
  RETURN_IF_ERROR(file.Read(reinterpret_cast<std::byte*>(start.data()),
                            static_cast<int64_t>(start.size())));
  return start;
}

absl::Status WriteAll(int file, const char* data, int64_t size,
                      const std::string& path) {
  while (size > 0) {
    const ssize_t count = write(file, data, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ErrnoStatus(path, "write");
    data += count;
    size -= count;
  }
  return absl::OkStatus();
}

absl::Status WriteNewFile(const std::string& path, const LiteralView& literal) {
  const int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return ErrnoStatus(path, "create");
  const std::string header = FormatNpyHeader(literal.shape());
  absl::Status status =
      WriteAll(file, header.data(), static_cast<int64_t>(header.size()), path);
  if (status.ok()) {
    status = WriteAll(file, reinterpret_cast<const char*>(literal.bytes()),
                      literal.shape().byte_size(), path);
  }
  // Some file systems report a full disk here.
  if (close(file) != 0 && status.ok()) status = ErrnoStatus(path, "write");
  return status;
}

}  // namespace

absl::StatusOr<Shape> ReadNpyShape(const std::string& path,
                                   std::optional<ElementType> opaque_type) {
  ASSIGN_OR_RETURN(OpenFile file, OpenFile::ForReading(path));
  ASSIGN_OR_RETURN(const std::string start, ReadStart(file));
  absl::StatusOr<NpyHeader> header = ParseNpyHeader(start, opaque_type);
  if (!header.ok()) return Annotate(header.status(), path);
  return std::move(header->shape);
}

absl::StatusOr<Literal> ReadNpyFile(const std::string& path,
                                    std::optional<ElementType> opaque_type) {
  ASSIGN_OR_RETURN(OpenFile file, OpenFile::ForReading(path));
  ASSIGN_OR_RETURN(const std::string start, ReadStart(file));
  absl::StatusOr<NpyHeader> header = ParseNpyHeader(start, opaque_type);
  if (!header.ok()) return Annotate(header.status(), path);
  // Some of the data was read with the header.
  const absl::string_view known =
      absl::string_view(start).substr(header->data_offset);
  const int64_t left = file.size() - static_cast<int64_t>(start.size());
  absl::Status read;
  absl::StatusOr<Literal> literal = ReadNpyData(
      *header, file.size() - header->data_offset, [&](std::byte* target) {
        std::memcpy(target, known.data(), known.size());
        return read = file.Read(target + known.size(), left);
      });
  if (!read.ok()) return read;
  if (!literal.ok()) return Annotate(literal.status(), path);
  return literal;
}

absl::Status WriteNpyFile(const std::string& path, const LiteralView& literal) {
  static std::atomic<int> counter{0};
  const std::string temporary =
      absl::StrCat(path, ".", getpid(), ".", counter.fetch_add(1), ".tmp");
  const absl::Status written = WriteNewFile(temporary, literal);
  if (!written.ok()) {
    unlink(temporary.c_str());
    return written;
  }
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    const absl::Status status = ErrnoStatus(path, "write");
    unlink(temporary.c_str());
    return status;
  }
  return absl::OkStatus();
}

}  // namespace lockstep
