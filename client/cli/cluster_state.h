#ifndef LOCKSTEP_CLIENT_CLI_CLUSTER_STATE_H_
#define LOCKSTEP_CLIENT_CLI_CLUSTER_STATE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/process/process_ref.h"
#include "client/process/ready_pipe.h"

namespace lockstep::internal {

// What `lockstep up` remembers of the cluster that it started. A value type.
struct ClusterState {
  struct Process {
    std::string name;
    ProcessRef ref;
  };
  std::string address;  // "": the coordinator was not ready yet
  int hosts = 0;
  int devices_per_host = 0;
  std::vector<Process> processes;  // the coordinator first
  // The `up` that starts them; none once they are all there.
  std::optional<ProcessRef> starter = std::nullopt;

  // Those that still run.
  std::vector<Process> Alive() const;
  bool is_coordinator_alive() const;
};

// The folder of this user's cluster (RunDirectory), readable by nobody else.
// Holds the state, the logs, and what makes a cluster secure.
// Between processes, exclusive after TryLock; not thread-safe.
class StateDirectory {
 public:
  // Creates it. FAILED_PRECONDITION when it is somebody else's or open to
  // others: an attacker could have made it.
  static absl::StatusOr<StateDirectory> Open();

  const std::string& path() const { return path_; }

  // False while another `up` or `down` of this user is at work.
  absl::StatusOr<bool> TryLock();
  void Unlock() { lock_.Reset(); }

  // None when there is no cluster. INVALID_ARGUMENT names a damaged file.
  absl::StatusOr<std::optional<ClusterState>> Read() const;
  // FAILED_PRECONDITION names the folder; no part of a state is left then.
  absl::Status Write(const ClusterState& state) const;
  // Of the state and of certificates and tokens; the logs stay for who wants to
  // know what happened.
  void Remove() const;
  void RemoveLogs() const;

 private:
  explicit StateDirectory(std::string path) : path_(std::move(path)) {}
  std::string state_path() const { return path_ + "/cluster.json"; }

  std::string path_;
  UniqueFd lock_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_CLUSTER_STATE_H_
