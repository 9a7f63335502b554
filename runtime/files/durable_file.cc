#include "runtime/files/durable_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status Failed(const std::string& path, absl::string_view action) {
  return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot ", action));
}

}  // namespace

absl::StatusOr<DurableFile> DurableFile::Create(std::string path) {
  static std::atomic<int> counter{0};
  while (true) {
    std::string temporary =
        absl::StrCat(path, ".", getpid(), ".", counter.fetch_add(1), ".tmp");
    const int file =
        open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      return DurableFile(std::move(path), std::move(temporary), file);
    }
    // Left by a process that had this one's number and was killed.
    if (errno != EEXIST) return Failed(path, "create");
  }
}

DurableFile::DurableFile(DurableFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      file_(std::exchange(other.file_, -1)),
      size_(other.size_) {}

DurableFile::~DurableFile() {
  if (file_ < 0) return;
  close(file_);
  unlink(temporary_.c_str());
}

absl::Status DurableFile::Write(absl::Span<const std::byte> bytes) {
  RETURN_IF_ERROR(WriteAt(size_, bytes));
  size_ += static_cast<int64_t>(bytes.size());
  return absl::OkStatus();
}

absl::Status DurableFile::Rewrite(int64_t offset, absl::string_view bytes) {
  return WriteAt(offset, absl::MakeConstSpan(
                             reinterpret_cast<const std::byte*>(bytes.data()),
                             bytes.size()));
}

absl::Status DurableFile::WriteAt(int64_t offset,
                                  absl::Span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(file_, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failed(path_, "write");
    bytes.remove_prefix(static_cast<size_t>(count));
    offset += count;
  }
  return absl::OkStatus();
}

absl::Status DurableFile::Commit() {
  if (fsync(file_) != 0) return Failed(path_, "write");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) {
    return Failed(path_, "replace");
  }
  close(std::exchange(file_, -1));
  const std::string folder = std::filesystem::path(path_).parent_path();
  return SyncDirectory(folder.empty() ? "." : folder);
}

absl::Status SyncDirectory(const std::string& path) {
  const int directory = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return Failed(path, "open");
  const bool is_synced = fsync(directory) == 0;
  const absl::Status status =
      is_synced ? absl::OkStatus() : Failed(path, "write");
  close(directory);
  return status;
}

}  // namespace lockstep::internal
