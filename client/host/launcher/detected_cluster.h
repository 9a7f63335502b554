#ifndef LOCKSTEP_CLIENT_HOST_LAUNCHER_DETECTED_CLUSTER_H_
#define LOCKSTEP_CLIENT_HOST_LAUNCHER_DETECTED_CLUSTER_H_

#include <optional>
#include <string>

#include "absl/status/status.h"

namespace lockstep::internal {

// What a launcher says to one of the processes that it started (spec M-16). A
// value type.
struct DetectedCluster {
  std::string method = "none";  // "slurm"
  // False: it says that there are several processes, and lacks the rest.
  bool is_complete = true;
  // False: of those this process is none, as in the shell of an allocation.
  bool is_started = true;
  // How many hosts, and which of them this one is; none: not said.
  std::optional<int> count = 1;
  std::optional<int> rank = 0;
  // Which of the hosts of this machine this one is, and how many those are;
  // none: not said.
  std::optional<int> local_rank = 0;
  std::optional<int> local_count = 1;
  // host:port where rank 0 starts the coordinator; "": see address_error.
  std::string coordinator_address;
  // The host of coordinator_address lacks its domain, which is that of this
  // machine's full name.
  bool needs_domain = false;
  // What is not said, and the address, PMIx knows; coordinator_address is for
  // where there is none.
  bool needs_pmix = false;
  // Why there is no address although there may be several hosts.
  absl::Status address_error;
  // The same on all hosts of the job, and on no other job's; "": not said.
  std::string cluster_id;
  // The launcher's name for this machine; "": not said.
  std::string machine_name;
  // The launcher shows each process devices of its own.
  bool has_own_devices = false;

  bool is_detected() const { return method != "none"; }
  // All hosts are on this machine; some are not. Neither, where nobody says it.
  bool is_one_machine() const {
    return count.has_value() && local_count == count;
  }
  bool spans_machines() const {
    return count.has_value() && local_count.has_value() && local_count != count;
  }
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_LAUNCHER_DETECTED_CLUSTER_H_
