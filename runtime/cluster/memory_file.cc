#include "runtime/cluster/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <random>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

constexpr size_t kTokenBytes = 16;
// Before the data: the token, and the rest of a page.
constexpr int64_t kHeaderBytes = 4096;
constexpr int64_t kMaxSize = std::numeric_limits<int64_t>::max() / 2;

absl::Status NoRoom(int64_t size) {
  const std::string cause = std::strerror(errno);
  return absl::ResourceExhaustedError(
      absl::StrCat("no file in memory for ", size, " bytes: ", cause));
}

bool WriteAll(int descriptor, int64_t offset,
              absl::Span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        pwrite(descriptor, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
    offset += count;
  }
  return true;
}

std::string NewToken() {
  std::random_device random;
  std::string token(kTokenBytes, '\0');
  for (char& byte : token) byte = static_cast<char>(random());
  return token;
}

}  // namespace

absl::StatusOr<MemoryFile> MemoryFile::Create(int64_t size) {
  if (size < 0 || size > kMaxSize) {
    errno = EFBIG;
    return NoRoom(size);
  }
  const int descriptor =
      memfd_create("lockstep array", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return NoRoom(size);
  MemoryFile file(descriptor, size, NewToken());
  // A file that could be cut would end us when we read what is cut off.
  if (ftruncate(descriptor, kHeaderBytes + size) != 0 ||
      fcntl(descriptor, F_ADD_SEALS,
            F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0 ||
      !WriteAll(descriptor, 0,
                absl::MakeConstSpan(
                    reinterpret_cast<const std::byte*>(file.token_.data()),
                    kTokenBytes))) {
    return NoRoom(size);
  }
  return file;
}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

MemoryFileAccess MemoryFile::access() const {
  return {getpid(), descriptor_, token_};
}

absl::StatusOr<std::shared_ptr<std::byte>> MemoryFile::Map() const {
  if (size_ == 0) return std::make_shared<std::byte>();
  const auto length = static_cast<size_t>(size_);
  void* const address = mmap(nullptr, length, PROT_READ | PROT_WRITE,
                             MAP_SHARED, descriptor_, kHeaderBytes);
  if (address == MAP_FAILED) return NoRoom(size_);
  return std::shared_ptr<std::byte>(
      static_cast<std::byte*>(address),
      [length](std::byte* bytes) { munmap(bytes, length); });
}

absl::StatusOr<ForeignMemoryFile> ForeignMemoryFile::Open(
    const MemoryFileAccess& access) {
  const std::string path =
      absl::StrCat("/proc/", access.pid, "/fd/", access.descriptor);
  const auto unavailable = [&path](absl::string_view cause) {
    return absl::UnavailableError(absl::StrCat(path, ": ", cause));
  };
  // Nothing that an open could change or wait for, such as a terminal or a
  // fifo: the pid may be that of any process by now.
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) {
    return unavailable(std::strerror(errno));
  }
  if (!S_ISREG(found.st_mode)) return unavailable("not a file in memory");
  ForeignMemoryFile file(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  if (file.descriptor_ < 0) return unavailable(std::strerror(errno));
  char token[kTokenBytes];
  if (access.token.size() != kTokenBytes ||
      pread(file.descriptor_, token, kTokenBytes, 0) !=
          static_cast<ssize_t>(kTokenBytes) ||
      std::memcmp(token, access.token.data(), kTokenBytes) != 0) {
    return unavailable("it is another file");
  }
  return file;
}

ForeignMemoryFile::~ForeignMemoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

absl::Status ForeignMemoryFile::Write(int64_t offset,
                                      absl::Span<const std::byte> bytes) {
  if (offset < 0 || offset > kMaxSize) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no byte ", offset, " in a file in memory"));
  }
  if (WriteAll(descriptor_, kHeaderBytes + offset, bytes)) {
    return absl::OkStatus();
  }
  return NoRoom(static_cast<int64_t>(bytes.size()));
}

}  // namespace lockstep::internal
