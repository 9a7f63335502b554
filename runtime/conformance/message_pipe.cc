#include "runtime/conformance/message_pipe.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <utility>

namespace lockstep::internal {
namespace {

bool WriteAll(int fd, const char* data, size_t size) {
  while (size > 0) {
    // No signal when nobody reads.
    const ssize_t n = send(fd, data, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= n;
  }
  return true;
}

bool ReadAll(int fd, char* data, size_t size) {
  while (size > 0) {
    const ssize_t n = read(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= n;
  }
  return true;
}

}  // namespace

MessagePipe::MessagePipe(MessagePipe&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

MessagePipe& MessagePipe::operator=(MessagePipe&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

void MessagePipe::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

bool MessagePipe::Write(absl::string_view message) {
  const uint64_t size = message.size();
  return WriteAll(fd_, reinterpret_cast<const char*>(&size), sizeof(size)) &&
         WriteAll(fd_, message.data(), message.size());
}

bool MessagePipe::Read(std::string& message) {
  uint64_t size = 0;
  if (!ReadAll(fd_, reinterpret_cast<char*>(&size), sizeof(size))) return false;
  message.resize(size);
  return ReadAll(fd_, message.data(), size);
}

}  // namespace lockstep::internal
