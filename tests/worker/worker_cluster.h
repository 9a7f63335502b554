#ifndef LOCKSTEP_TESTS_WORKER_WORKER_CLUSTER_H_
#define LOCKSTEP_TESTS_WORKER_WORKER_CLUSTER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coordinator/server.h"
#include "runtime/collectives/in_memory_transport/in_memory_network.h"
#include "runtime/collectives/transport.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {

// A coordinator over loopback and one worker per host, "h0", "h1", ..., all in
// this process.
class WorkerCluster {
 public:
  struct Options {
    std::vector<int> devices_per_host;
    std::string platform = "cpu";
    bool over_ucx = false;  // otherwise in memory
    // Of transports in memory: what stands around that of each host; null:
    // nothing.
    std::function<std::unique_ptr<Transport>(std::unique_ptr<Transport>)>
        around_transport = nullptr;
  };

  // Where a worker cannot be made, the test fails and `worker` of it is not
  // there.
  explicit WorkerCluster(Options options);
  ~WorkerCluster();

  int host_count() const { return static_cast<int>(workers_.size()); }
  Worker& worker(int host) { return *workers_[host]; }

  // Runs `f` for every host, each on a thread of its own.
  void OnEveryHost(const std::function<void(int host)>& f);

 private:
  const Options options_;
  std::unique_ptr<CoordinatorServer> server_;
  std::shared_ptr<InMemoryNetwork> network_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_WORKER_WORKER_CLUSTER_H_
