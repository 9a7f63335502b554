#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/types/npy.h"
#include "runtime/types/npy_header.h"

namespace lockstep {
namespace {

absl::Status ErrnoStatus(const std::string& path, absl::string_view action) {
  return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot ", action));
}

// The content, in a literal: its memory may be refused with a status.
absl::StatusOr<Literal> ReadWholeFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return ErrnoStatus(path, "open");
  const absl::Cleanup closer = [file] { close(file); };
  struct stat info;
  if (fstat(file, &info) != 0) return ErrnoStatus(path, "read");
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected a regular file"));
  }
  absl::StatusOr<Literal> content =
      Literal::Allocate(Shape(ElementType::kU8, {int64_t{info.st_size}}));
  if (!content.ok()) return Annotate(content.status(), path);
  int64_t done = 0;
  while (done < info.st_size) {
    const ssize_t count =
        read(file, content->mutable_bytes() + done, info.st_size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ErrnoStatus(path, "read");
    if (count == 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": expected ", info.st_size, " bytes, found ", done));
    }
    done += count;
  }
  return content;
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

absl::StatusOr<Literal> ReadNpyFile(const std::string& path) {
  ASSIGN_OR_RETURN(const Literal content, ReadWholeFile(path));
  const absl::Span<const std::byte> bytes = content.byte_span();
  absl::StatusOr<Literal> literal = ParseNpy(absl::string_view(
      reinterpret_cast<const char*>(bytes.data()), bytes.size()));
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
