#ifndef LOCKSTEP_CLIENT_PROCESS_COORDINATOR_PROCESS_H_
#define LOCKSTEP_CLIENT_PROCESS_COORDINATOR_PROCESS_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/process/cluster_credentials.h"

namespace lockstep::internal {

struct CoordinatorProcessOptions {
  std::string listen_address;         // host:port
  std::optional<int> expected_hosts;  // none: what the first worker says
  // As of Initialize, with the address that the hosts use; not looked up in the
  // environment, which the process inherits.
  SecurityOptions security;
  // For start-up, and for the hosts to come together.
  absl::Duration deadline = absl::Seconds(300);
};

// Starts a coordinator that outlives this process, and ends by itself when its
// last host has gone. Returns when it listens. UNAVAILABLE when it cannot;
// NOT_FOUND without the `lockstep` program.
absl::Status StartCoordinatorProcess(const CoordinatorProcessOptions& options);

// Whether a connection to host:port is accepted within a moment.
bool SomebodyListens(const std::string& address);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROCESS_COORDINATOR_PROCESS_H_
