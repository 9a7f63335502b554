#ifndef LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_HIERARCHICAL_CLUSTER_H_
#define LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_HIERARCHICAL_CLUSTER_H_

#include <functional>
#include <memory>
#include <vector>

#include "runtime/collectives/hierarchical/hierarchical_clique_provider.h"
#include "runtime/collectives/transport.h"
#include "tests/conformance/communicator/communicator_cluster.h"

namespace lockstep::internal {

// A HierarchicalCliqueProvider per host, each on a transport of its own.
class HierarchicalCluster : public CommunicatorCluster {
 public:
  using NewTransport = std::function<std::unique_ptr<Transport>()>;
  using KillTransport = std::function<void(Transport&)>;

  // `kill` makes the process behind a transport disappear.
  HierarchicalCluster(int host_count, const NewTransport& new_transport,
                      KillTransport kill);
  ~HierarchicalCluster() override;

  CliqueProvider& provider(HostId host) override {
    return *hosts_[host.value()].provider;
  }
  const CollectiveProgress& progress(HostId host) override {
    return *hosts_[host.value()].provider;
  }
  void AbortLaunch(HostId host, const LaunchId& launch,
                   const absl::Status& cause) override {
    hosts_[host.value()].provider->AbortLaunch(launch, cause);
  }
  bool can_kill() const override { return true; }
  void Kill(HostId host) override;

 private:
  struct Host {
    std::unique_ptr<Transport> transport;
    std::unique_ptr<HierarchicalCliqueProvider> provider;
  };
  std::vector<Host> hosts_;
  KillTransport kill_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_HIERARCHICAL_CLUSTER_H_
