#include "runtime/base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status Failed(const std::string& path, absl::string_view action) {
  return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot ", action));
}

absl::string_view KindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "something else";
}

// Up to `count` bytes, fewer at the end only.
absl::StatusOr<int64_t> ReadUpTo(int file, const std::string& path, char* data,
                                 int64_t count) {
  int64_t done = 0;
  while (done < count) {
    const ssize_t n =
        read(file, data + done, static_cast<size_t>(count - done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failed(path, "read");
    if (n == 0) break;
    done += n;
  }
  return done;
}

using IsBinary = absl::FunctionRef<bool(absl::string_view start)>;

// To the end; `expected` is a guess of the size.
absl::StatusOr<std::string> ReadToEnd(int file, const std::string& path,
                                      int64_t expected, int64_t most,
                                      IsBinary is_binary) {
  constexpr int64_t kBlock = int64_t{1} << 16;
  std::string bytes;
  bool is_text = false;
  // One byte more than allowed shows that there is more.
  for (int64_t next = std::min(std::max(expected, kBlock), most) + 1;;
       next =
           std::min<int64_t>(bytes.size() + kBlock, most + 1 - bytes.size())) {
    const size_t before = bytes.size();
    bytes.resize(before + static_cast<size_t>(next));
    ASSIGN_OR_RETURN(const int64_t count,
                     ReadUpTo(file, path, bytes.data() + before, next));
    bytes.resize(before + static_cast<size_t>(count));
    if (before == 0) is_text = !is_binary(bytes);
    // At once: it may have no end.
    if (const size_t zero = is_text ? bytes.find('\0', before) : bytes.npos;
        zero != bytes.npos) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": expected text, found a zero byte at offset ", zero));
    }
    if (static_cast<int64_t>(bytes.size()) > most) {
      return absl::ResourceExhaustedError(absl::StrCat(
          path, ": expected at most ", most, " bytes, found more"));
    }
    if (count < next) return bytes;
  }
}

}  // namespace

absl::StatusOr<RegularFile> RegularFile::Open(const std::string& path) {
  // A pipe without a writer is not waited for.
  RegularFile file(path, open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.file_ < 0) return Failed(path, "open");
  struct stat info;
  if (fstat(file.file_, &info) != 0) return Failed(path, "read");
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": expected a regular file, found ", KindOf(info.st_mode)));
  }
  file.size_ = info.st_size;
  return file;
}

RegularFile::RegularFile(RegularFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      size_(other.size_),
      done_(other.done_) {}

RegularFile::~RegularFile() {
  if (file_ >= 0) close(file_);
}

absl::Status RegularFile::Read(std::byte* data, int64_t count) {
  ASSIGN_OR_RETURN(
      const int64_t found,
      ReadUpTo(file_, path_, reinterpret_cast<char*>(data), count));
  if (found < count) {
    return absl::InvalidArgumentError(absl::StrCat(
        path_, ": expected ", done_ + count, " bytes, found ", done_ + found));
  }
  done_ += found;
  return absl::OkStatus();
}

absl::Status RegularFile::ReadAt(int64_t offset, std::byte* data,
                                 int64_t count) const {
  int64_t done = 0;
  while (done < count) {
    const ssize_t n = pread(file_, data + done,
                            static_cast<size_t>(count - done), offset + done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failed(path_, "read");
    if (n == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(path_, ": expected ", offset + count, " bytes, found ",
                       offset + done));
    }
    done += n;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> RegularFile::ReadRest(int64_t most) {
  if (size_ - done_ > most) {
    return absl::ResourceExhaustedError(absl::StrCat(
        path_, ": expected at most ", most, " bytes, found ", size_ - done_));
  }
  return ReadToEnd(file_, path_, size_ - done_, most,
                   [](absl::string_view) { return true; });
}

absl::StatusOr<std::string> ReadRegularFile(const std::string& path,
                                            int64_t most) {
  ASSIGN_OR_RETURN(RegularFile file, RegularFile::Open(path));
  return file.ReadRest(most);
}

absl::StatusOr<std::string> ReadStandardInput(int64_t most,
                                              IsBinary is_binary) {
  return ReadToEnd(STDIN_FILENO, "standard input", 0, most, is_binary);
}

}  // namespace lockstep::internal
