#ifndef LOCKSTEP_CLIENT_CLUSTER_CLUSTER_CHECKPOINTS_H_
#define LOCKSTEP_CLIENT_CLUSTER_CLUSTER_CHECKPOINTS_H_

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/arrays/checkpoint_hosts.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

class GlobalView;
class HostLink;

// Checkpoints that the workers of a cluster write and read: each host is asked
// directly, all at once (Worker/SaveShards and so on in
// proto/lockstep/worker.proto). Thread-safe.
class ClusterCheckpoints : public CheckpointHosts {
 public:
  // Of which this is a part.
  explicit ClusterCheckpoints(GlobalView* view) : view_(*view) {}

  absl::StatusOr<bool> MayUse(const std::string& folder,
                              const std::set<HostId>& hosts) override;
  absl::StatusOr<std::vector<std::string>> Write(
      const std::string& folder, const std::string& manifest,
      absl::Span<const Source> sources,
      const std::function<void()>& on_copied) override;
  absl::Status PutInPlace(const std::string& folder,
                          const std::string& manifest,
                          const std::set<HostId>& hosts) override;
  void GiveUp(const std::string& folder,
              absl::Span<const std::string> manifests,
              const std::set<HostId>& hosts) override;
  absl::StatusOr<std::string> Read(const std::string& folder,
                                   const std::set<HostId>& hosts) override;
  absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Restore(
      const std::string& folder, const std::string& manifest,
      absl::Span<const Target> targets) override;

 private:
  using Links = std::vector<std::shared_ptr<HostLink>>;
  // FAILED_PRECONDITION: the cluster does not have a host any more.
  absl::StatusOr<Links> LinksTo(const std::set<HostId>& hosts);

  GlobalView& view_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_CLUSTER_CHECKPOINTS_H_
