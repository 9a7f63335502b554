#ifndef LOCKSTEP_TESTS_MULTIHOST_PROCESS_CLUSTER_H_
#define LOCKSTEP_TESTS_MULTIHOST_PROCESS_CLUSTER_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "client/cli/status_report.h"
#include "client/process/child_process.h"

namespace lockstep::internal {

// 2, or what LOCKSTEP_TEST_DEVICES_PER_HOST says: 1 where hosts share a GPU.
int DevicesPerHost();

// A real cluster, on loopback unless told otherwise: a coordinator and worker
// processes, one host each, that a test may kill, stop and start. Failures to
// start are test failures. The destructor checks that nothing is left running
// or listening.
class ProcessCluster {
 public:
  struct Options {
    int hosts = 2;
    int devices_per_host = DevicesPerHost();
    std::string listen_address = "127.0.0.1:0";
    // What stands before the command line of a worker, by its rank, and of the
    // coordinator (kCoordinator): see TestNetwork::On. Null: nothing.
    std::function<std::vector<std::string>(int rank)> where;
    std::vector<std::string> coordinator_flags;
    std::vector<std::string> worker_flags;
    // What serves the host of a rank in the place of `lockstep worker`; it says
    // through its ReadySignal that it has joined. Null: that.
    std::function<ChildProcess(int rank, const std::string& address,
                               std::vector<std::string> prefix)>
        start_worker;
    // Started by Start; the others by StartWorker.
    std::optional<int> workers;
  };

  static constexpr int kCoordinator = -1;

  explicit ProcessCluster(const Options& options);
  ~ProcessCluster();
  ProcessCluster(const ProcessCluster&) = delete;
  ProcessCluster& operator=(const ProcessCluster&) = delete;

  const std::string& address() const { return address_; }
  ChildProcess& coordinator() { return *coordinator_; }
  ChildProcess& worker(int rank) { return workers_.at(rank); }
  // "worker-1"
  static std::string WorkerName(int rank);

  // Starts, or starts again, the worker of a rank; does not wait.
  void StartWorker(int rank, std::vector<std::string> more_flags = {});
  // All workers that were started say that they have joined.
  void AwaitJoined();
  void AwaitJoined(int rank);

  // Waits until `is_so` is true of the coordinator's report; fails the test,
  // with the last report, when it is not in time.
  StatusReport AwaitStatus(
      const std::string& what,
      const std::function<bool(const StatusReport&)>& is_so,
      absl::Duration timeout = absl::Seconds(60));
  // Waits until every host is in a collective of a launch.
  StatusReport AwaitAllInCollective();

  // Ends everything: the workers first, then the coordinator.
  void Stop();

 private:
  std::vector<std::string> Prefix(int rank) const;

  Options options_;
  std::string address_;
  std::optional<ChildProcess> coordinator_;
  std::map<int, ChildProcess> workers_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_PROCESS_CLUSTER_H_
