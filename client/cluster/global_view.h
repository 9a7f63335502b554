#ifndef LOCKSTEP_CLIENT_CLUSTER_GLOBAL_VIEW_H_
#define LOCKSTEP_CLIENT_CLUSTER_GLOBAL_VIEW_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "client/cluster/connection.h"
#include "client/cluster/shard_transfer.h"
#include "client/view.h"

namespace lockstep {

// The global view: all devices of a cluster whose workers are other processes.
// The caller passes and gets all rows.
class GlobalView : public View,
                   public std::enable_shared_from_this<GlobalView> {
 public:
  explicit GlobalView(std::unique_ptr<ClusterConnection> connection)
      : connection_(std::move(connection)) {}

  ClusterConnection& connection() { return *connection_; }

  World world() const override { return connection_->roster().world; }
  std::vector<GlobalDeviceId> Addressable(
      absl::Span<const GlobalDeviceId> devices) const override {
    return {devices.begin(), devices.end()};
  }
  // The rules for one host that has all devices.
  absl::StatusOr<AxisResolution> ResolveAxis(const AxisQuery& query) override;
  absl::Status CheckReplicas(const AxisQuery& query, int64_t global_axis_size,
                             int64_t body_replicas) override;
  absl::StatusOr<std::shared_ptr<ViewProgram>> Load(
      ViewProgramSpec spec) override;
  absl::StatusOr<std::shared_ptr<Shards>> Put(
      std::vector<Literal> shards,
      std::vector<GlobalDeviceId> devices) override;
  absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Launch(
      const std::shared_ptr<ViewProgram>& program,
      const std::vector<std::shared_ptr<Shards>>& arguments) override;

  // The values of `array` on `devices`, from all their hosts at once.
  absl::StatusOr<std::vector<Literal>> Fetch(
      const ArrayHandle& array, absl::Span<const GlobalDeviceId> devices,
      CancellationToken& cancellation, absl::Time deadline);

 protected:
  uint64_t lives() const override { return connection_->lives(); }

 private:
  struct HostShards {
    std::shared_ptr<ShardTransfer> transfer;
    std::vector<ShardTransfer::Shard> shards;
    std::vector<size_t> positions;  // of the shards among all
  };
  // FAILED_PRECONDITION for a device whose host is gone.
  absl::StatusOr<std::vector<HostShards>> ByHost(
      const ArrayHandle& array, absl::Span<const GlobalDeviceId> devices);
  std::shared_ptr<ShardTransfer> TransferTo(const Member& member);

  const std::unique_ptr<ClusterConnection> connection_;
  absl::Mutex mutex_;
  absl::flat_hash_map<Incarnation, std::shared_ptr<ShardTransfer>> transfers_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_CLUSTER_GLOBAL_VIEW_H_
