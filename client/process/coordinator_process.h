#ifndef LOCKSTEP_CLIENT_PROCESS_COORDINATOR_PROCESS_H_
#define LOCKSTEP_CLIENT_PROCESS_COORDINATOR_PROCESS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/process/cluster_credentials.h"

namespace lockstep::internal {

struct CoordinatorProcessOptions {
  std::string listen_address;         // host:port; port 0: a free one
  std::optional<int> expected_hosts;  // none: what the first worker says
  std::string cluster_id;             // "": a random one
  // How long after its last host it ends, if none comes back.
  absl::Duration end_when_empty = absl::Seconds(5);
  // Before its first host it lives as long as this process, until `deadline`;
  // else for end_when_empty.
  bool waits_for_this_process = false;
  // As of Initialize, with the address that the hosts use; not looked up in the
  // environment, which the process inherits.
  SecurityOptions security;
  // For start-up, and for the hosts to come together.
  absl::Duration deadline = absl::Seconds(300);
};

// Starts a coordinator of this host and others. It outlives this process, and
// ends by itself when its last host has gone, not earlier by a signal. Returns
// when it listens, with the address. UNAVAILABLE when it cannot; NOT_FOUND
// without the `lockstep` program.
absl::StatusOr<std::string> StartCoordinatorProcess(
    const CoordinatorProcessOptions& options);

// Whether a connection to host:port is accepted within a moment.
bool SomebodyListens(const std::string& address);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROCESS_COORDINATOR_PROCESS_H_
