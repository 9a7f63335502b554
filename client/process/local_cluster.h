#ifndef LOCKSTEP_CLIENT_PROCESS_LOCAL_CLUSTER_H_
#define LOCKSTEP_CLIENT_PROCESS_LOCAL_CLUSTER_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "client/process/child_process.h"

namespace lockstep::internal {

// A coordinator and its workers as child processes on this machine. The
// destructor ends them, unless detached. Not thread-safe, except Processes'
// values.
class LocalCluster {
 public:
  struct Options {
    int hosts = 1;
    int devices_per_host = 1;
    // What workers run on, and what compiles; "": their default.
    std::string platform;
    std::string backend;
    // Which devices each worker takes, as the platform counts them; empty: as
    // many as there are per host, made up.
    std::vector<std::vector<int>> local_devices;
    // Where workers keep compiled code; "": LOCKSTEP_CACHE_DIR, or nowhere.
    std::string cache_directory;
    // In which folder clients may save and restore checkpoints; "":
    // LOCKSTEP_CHECKPOINT_DIR, or in none.
    std::string checkpoint_directory;
    // Certificates and tokens of all of them; "": what the environment says.
    std::string security_directory;
    // How long to wait until all hosts have joined.
    absl::Duration join_deadline = absl::Seconds(60);
    // Where the coordinator listens, and the network interface of the workers;
    // "": the one that leads there.
    std::string listen_address = "127.0.0.1:0";
    std::string interface;
    // Ended with this process, however it ends. False for `lockstep up`, whose
    // cluster stays.
    bool dies_with_parent = true;
    // Where coordinator.log and worker-N.log are written; "": standard error.
    std::string log_directory;
    // More flags of `lockstep coordinator` and `lockstep worker`.
    std::vector<std::string> coordinator_flags;
    std::vector<std::string> worker_flags;
    // Hears of every started process, so that a record of it can be kept in
    // case that this process dies. Its error ends the start. May be null.
    std::function<absl::Status(const LocalCluster&)> on_started;
  };

  // Waits until all hosts have joined. Errors name the process that failed, and
  // its own status; nothing is left running then. INVALID_ARGUMENT for counts
  // below 1.
  static absl::StatusOr<LocalCluster> Start(const Options& options);

  LocalCluster(LocalCluster&&) noexcept = default;
  LocalCluster& operator=(LocalCluster&&) noexcept = default;
  ~LocalCluster();

  // "127.0.0.1:41234"; "" before the coordinator is ready.
  const std::string& address() const { return address_; }

  // The coordinator first, then the workers by rank.
  std::vector<ChildProcess>& processes() { return processes_; }
  const std::vector<ChildProcess>& processes() const { return processes_; }

  // Workers first, so that they say goodbye; then the coordinator. Whoever has
  // not ended after `grace` is killed. Idempotent.
  void Stop(absl::Duration grace);

  // Leaves all processes running after this object's end.
  void Detach() &&;

 private:
  explicit LocalCluster(const Options& options) : options_(options) {}

  absl::Status StartCoordinator(const std::string& binary);
  absl::Status StartWorker(const std::string& binary, int rank);
  absl::Status AwaitWorkers();
  ChildProcess::Options Describe(const std::string& name) const;
  void AddSecurity(ChildProcess::Options& options) const;
  absl::Status Add(const ChildProcess::Options& options);

  Options options_;
  absl::Time deadline_;
  std::string address_;
  std::vector<ChildProcess> processes_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROCESS_LOCAL_CLUSTER_H_
