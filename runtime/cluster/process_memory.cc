#include "runtime/cluster/process_memory.h"

#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

constexpr size_t kTokenBytes = 16;

struct MemoryToken {
  char bytes[kTokenBytes];
};

const MemoryToken& OwnToken() {
  static const MemoryToken* const token = [] {
    auto* made = new MemoryToken;
    std::random_device random;
    for (char& byte : made->bytes) byte = static_cast<char>(random());
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    return made;
  }();
  return *token;
}

}  // namespace

MemoryAccess OfferMemory() {
  const MemoryToken& token = OwnToken();
  return {getpid(), reinterpret_cast<uintptr_t>(token.bytes),
          std::string(token.bytes, kTokenBytes)};
}

std::optional<ProcessMemory> ProcessMemory::Open(const MemoryAccess& access) {
  if (access.pid <= 0 || access.token.size() != kTokenBytes) {
    return std::nullopt;
  }
  ProcessMemory memory(access);
  if (!memory.Read(access.token_address, {}).ok()) return std::nullopt;
  return memory;
}

absl::Status ProcessMemory::Read(uint64_t address,
                                 absl::Span<std::byte> to) const {
  size_t done = 0;
  do {
    // The token comes with every call: a call reads one process throughout.
    char token[kTokenBytes];
    const iovec local[2] = {{token, kTokenBytes},
                            {to.data() + done, to.size() - done}};
    const iovec remote[2] = {
        {reinterpret_cast<void*>(access_.token_address), kTokenBytes},
        {reinterpret_cast<void*>(address + done), to.size() - done}};
    const ssize_t count = process_vm_readv(static_cast<pid_t>(access_.pid),
                                           local, 2, remote, 2, 0);
    if (count < static_cast<ssize_t>(kTokenBytes) ||
        std::memcmp(token, access_.token.data(), kTokenBytes) != 0) {
      return absl::UnavailableError(absl::StrCat(
          "the memory of process ", access_.pid, " cannot be read: ",
          count < 0 ? std::strerror(errno) : "it is another process"));
    }
    if (count == static_cast<ssize_t>(kTokenBytes) && done < to.size()) {
      return absl::FailedPreconditionError(
          absl::StrCat("process ", access_.pid, " has no ", to.size() - done,
                       " bytes at ", absl::Hex(address + done)));
    }
    done += static_cast<size_t>(count) - kTokenBytes;
  } while (done < to.size());
  return absl::OkStatus();
}

}  // namespace lockstep::internal
