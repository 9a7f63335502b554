#ifndef LOCKSTEP_CLIENT_PROCESS_PROCESS_REF_H_
#define LOCKSTEP_CLIENT_PROCESS_PROCESS_REF_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"

namespace lockstep::internal {

// A process of this machine, child or not, told apart from a later one with
// the same pid by the time it started. A value type; thread-safe.
struct ProcessRef {
  pid_t pid = 0;
  uint64_t start_ticks = 0;  // since boot, field 22 of /proc/PID/stat

  // None when there is no such process, or it is a zombie.
  static std::optional<ProcessRef> Find(pid_t pid);

  // False for zombies: they neither run nor listen.
  bool IsAlive() const;
  // Nothing happens when it is not alive.
  void Signal(int signal) const;
  // Whether it ended before the deadline.
  bool AwaitExit(absl::Time deadline) const;

  friend bool operator==(const ProcessRef&, const ProcessRef&) = default;
};

// Ends them all: SIGTERM (and SIGCONT, so that stopped ones hear it), SIGKILL
// for those alive after `grace`. Returns those that had to be killed. Does not
// reap: that is for the parent.
std::vector<ProcessRef> Terminate(absl::Span<const ProcessRef> processes,
                                  absl::Duration grace);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROCESS_PROCESS_REF_H_
