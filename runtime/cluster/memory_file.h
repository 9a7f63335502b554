#ifndef LOCKSTEP_RUNTIME_CLUSTER_MEMORY_FILE_H_
#define LOCKSTEP_RUNTIME_CLUSTER_MEMORY_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace lockstep::internal {

// By which another process of the machine, of the same user, finds a
// MemoryFile. The token is random and lies in the file: whoever finds it there
// has the right file, also when pids are those of another space or are used
// again.
struct MemoryFileAccess {
  int64_t pid = 0;
  int descriptor = -1;
  std::string token;
};

// A file of this process, in memory, that another process fills. It writes into
// the file and not into our address space: a writer that comes too late, when
// we have given the file up, changes nothing of ours.
class MemoryFile {
 public:
  // For `size` bytes, not in memory before they are written. RESOURCE_EXHAUSTED
  // when there is no room for such a file.
  static absl::StatusOr<MemoryFile> Create(int64_t size);
  MemoryFile(MemoryFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        size_(other.size_),
        token_(std::move(other.token_)) {}
  MemoryFile& operator=(MemoryFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(size_, other.size_);
    std::swap(token_, other.token_);
    return *this;
  }
  ~MemoryFile();

  int64_t size() const { return size_; }
  MemoryFileAccess access() const;
  // The bytes, aligned to a page, which stay when the file is given up.
  // RESOURCE_EXHAUSTED when there is no room for them.
  absl::StatusOr<std::shared_ptr<std::byte>> Map() const;

 private:
  MemoryFile(int descriptor, int64_t size, std::string token)
      : descriptor_(descriptor), size_(size), token_(std::move(token)) {}

  int descriptor_;
  int64_t size_;
  std::string token_;
};

// The file of another process, to be written. Not thread-safe.
class ForeignMemoryFile {
 public:
  // UNAVAILABLE: there is no such file, or the system does not permit it.
  static absl::StatusOr<ForeignMemoryFile> Open(const MemoryFileAccess& access);
  ForeignMemoryFile(ForeignMemoryFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  ForeignMemoryFile& operator=(ForeignMemoryFile&&) = delete;
  ~ForeignMemoryFile();

  // RESOURCE_EXHAUSTED: no memory, or beyond the size of the file.
  absl::Status Write(int64_t offset, absl::Span<const std::byte> bytes);

 private:
  explicit ForeignMemoryFile(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_MEMORY_FILE_H_
