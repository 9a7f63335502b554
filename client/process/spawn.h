#ifndef LOCKSTEP_CLIENT_PROCESS_SPAWN_H_
#define LOCKSTEP_CLIENT_PROCESS_SPAWN_H_

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace lockstep::internal {

// What fork and exec need, ready made: after a fork only async-signal-safe
// calls are allowed.
struct SpawnRequest {
  std::vector<std::string> arguments;    // [0] is the program's path
  std::vector<std::string> environment;  // "NAME=value", the whole of it
  // Descriptor in the child <- descriptor here. All others are closed.
  std::vector<std::pair<int, int>> descriptors;
  bool dies_with_parent = true;
  bool has_own_session = false;
};

// Starts a process, from a thread that lives as long as this process:
// PR_SET_PDEATHSIG would otherwise end the child together with the calling
// thread. NOT_FOUND when it cannot be executed. Thread-safe.
absl::StatusOr<pid_t> SpawnProcess(const SpawnRequest& request);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROCESS_SPAWN_H_
