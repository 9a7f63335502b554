#ifndef LOCKSTEP_RUNTIME_CLUSTER_PROCESS_MEMORY_H_
#define LOCKSTEP_RUNTIME_CLUSTER_PROCESS_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace lockstep::internal {

// How a process lets others of its user read its memory. The token is random:
// whoever finds it at `token_address` of process `pid` reads the right process,
// also when pids are those of another space or are used again.
struct MemoryAccess {
  int64_t pid = 0;
  uint64_t token_address = 0;
  std::string token;
};

// Of this process, from the first call on. Where the system asks for consent
// (Yama), gives it to all processes that otherwise may.
MemoryAccess OfferMemory();

// The memory of another process of this machine, copied from there to here by
// the kernel in one step: nothing is shared, so nothing is left when either of
// them ends. Thread-safe.
class ProcessMemory {
 public:
  // None: another machine, another user, or the system does not permit it.
  static std::optional<ProcessMemory> Open(const MemoryAccess& access);

  int64_t pid() const { return access_.pid; }

  // UNAVAILABLE: the process has ended. FAILED_PRECONDITION: it has no memory
  // there.
  absl::Status Read(uint64_t address, absl::Span<std::byte> to) const;

 private:
  explicit ProcessMemory(MemoryAccess access) : access_(std::move(access)) {}

  MemoryAccess access_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_PROCESS_MEMORY_H_
