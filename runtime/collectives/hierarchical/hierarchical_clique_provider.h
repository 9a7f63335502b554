#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HIERARCHICAL_CLIQUE_PROVIDER_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HIERARCHICAL_CLIQUE_PROVIDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/clock.h"
#include "runtime/cluster/call.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/collectives/collective_progress.h"
#include "runtime/collectives/launch_id.h"
#include "runtime/collectives/transport.h"

namespace lockstep::internal {

class HierarchicalClique;
class HierarchicalCore;

// Cliques over the devices of several hosts. The devices of this process meet
// in shared memory; then one exchange between the processes; then the results
// are handed out. Reductions give the bits of the tree of spec K-4 however the
// ranks lie over the hosts. Thread-safe.
//
// Endpoints may be kept longer than the provider, but not used.
class HierarchicalCliqueProvider : public CliqueProvider,
                                   public CollectiveProgress {
 public:
  struct Options {
    HostRef self;
    // Not started; the provider starts and stops it. Outlives the provider.
    Transport* transport = nullptr;
    Clock* clock = Clock::Real();  // outlives the provider
    // Names a program by its fingerprint, for messages. Thread-safe.
    std::function<std::string(uint64_t)> program_name;
    // See HostCollectiveContext. The same on all hosts.
    int64_t direct_max_bytes = 64 << 10;
    int64_t message_bytes = 512 << 10;
  };

  struct Peer {
    HostRef host;
    std::string address;  // the bytes of its Transport::address()
  };

  static absl::StatusOr<std::unique_ptr<HierarchicalCliqueProvider>> Create(
      Options options);
  ~HierarchicalCliqueProvider() override;

  // Replaces the other hosts of the cluster: after Join and with every new
  // membership. A host that was lost and is named again may be reached again.
  // Errors are the transport's.
  absl::Status SetPeers(const std::vector<Peer>& peers);

  absl::StatusOr<std::shared_ptr<Communicator>> Acquire(
      const CliqueKey& key, GlobalDeviceId device) override;

  // This host makes `call` under `launch`; before its devices begin. When
  // another host makes a different call there, the launch fails on both.
  void BeginLaunch(const LaunchId& launch, const CallDescription& call);

  // Says that a launch failed on this host. Ends every wait within it, here and
  // on all other hosts, also waits that begin later. A worker calls this for
  // every launch that fails here, before its devices begin the next one; also
  // with a failure that the coordinator announced. Elsewhere the launch ends
  // with ABORTED and this host as origin, unless `cause` names an origin
  // already. The first cause wins; later calls for the launch do nothing.
  void AbortLaunch(const LaunchId& launch, const absl::Status& cause);

  std::vector<CollectiveWait> Waits() const override;
  // The transport's.
  std::vector<PeerLink> Links() const;

 private:
  explicit HierarchicalCliqueProvider(std::shared_ptr<HierarchicalCore> core);

  const std::shared_ptr<HierarchicalCore> core_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<CliqueKey, std::weak_ptr<HierarchicalClique>> cliques_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HIERARCHICAL_CLIQUE_PROVIDER_H_
