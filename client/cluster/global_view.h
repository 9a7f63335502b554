#ifndef LOCKSTEP_CLIENT_CLUSTER_GLOBAL_VIEW_H_
#define LOCKSTEP_CLIENT_CLUSTER_GLOBAL_VIEW_H_

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "client/arrays/array.h"
#include "client/arrays/view.h"
#include "client/cluster/cluster_checkpoints.h"
#include "client/cluster/connection.h"
#include "client/cluster/host_link.h"
#include "client/cluster/remote_read.h"
#include "runtime/cluster/device_profile.h"

namespace lockstep::internal {

class RemoteProgram;
class RemoteShards;

// The global view: all devices of a cluster whose workers are other processes.
// The caller passes and gets all rows.
class GlobalView : public View {
 public:
  explicit GlobalView(std::unique_ptr<ClusterConnection> connection)
      : connection_(std::move(connection)) {}

  ClusterConnection& connection() { return *connection_; }
  CheckpointHosts* checkpoint_hosts() override { return &checkpoints_; }

  World world() const override { return connection_->roster()->world; }
  std::string HostText(HostId host) const override;
  bool IsAlive(HostId host) const override;
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
      std::vector<HostTensor> shards,
      std::vector<GlobalDeviceId> devices) override;
  absl::StatusOr<std::shared_ptr<Shards>> Join(
      std::vector<std::shared_ptr<Shards>> parts) override;
  absl::StatusOr<std::vector<std::shared_ptr<Shards>>> Launch(
      const std::shared_ptr<ViewProgram>& program,
      const std::vector<std::shared_ptr<Shards>>& arguments) override;

  // The same, timed: waits until it is over; what each device of the program
  // did, in the order of the assignment. Errors are those of the launch, of
  // hosts that cannot be reached, and UNIMPLEMENTED for platforms of which
  // there are no profiles.
  absl::StatusOr<std::vector<DeviceProfile>> Profile(
      const std::shared_ptr<ViewProgram>& program,
      const std::vector<std::shared_ptr<Shards>>& arguments,
      int64_t most_events);

  // The client's array under a name, and one of a name as an array of the
  // client's; they have the same values.
  absl::Status NameArray(const std::string& name, const Array& array,
                         bool replaces);
  absl::StatusOr<Array> FindArray(const std::string& name);

  // Waits until the shards of `array` on `devices` are there, which hosts in
  // their `lives` have. FAILED_PRECONDITION names one that has come back in
  // another.
  absl::StatusOr<RemoteRead> StartRead(const ArrayHandle& array,
                                       absl::Span<const GlobalDeviceId> devices,
                                       absl::Span<const Incarnation> lives,
                                       CancellationToken& failure);
  // Whether `array` is a result of the latest launch.
  bool IsLatest(const ArrayHandle& array) const {
    return array.number >= latest_results_.load();
  }
  struct HostDevices {
    std::shared_ptr<HostLink> link;
    std::vector<GlobalDeviceId> devices;
    std::vector<size_t> positions;  // of the devices among all
  };
  // INVALID_ARGUMENT for a device that the cluster does not have.
  absl::StatusOr<std::vector<HostDevices>> ByHost(
      const Roster& roster, absl::Span<const GlobalDeviceId> devices);
  std::shared_ptr<HostLink> LinkTo(const Member& member);
  static std::vector<Incarnation> LivesOf(absl::Span<const HostDevices> hosts);
  // FAILED_PRECONDITION: the host has come back in another life than one of
  // `lives`, in which it had its part of an array.
  static absl::Status CheckLife(const HostLink& host,
                                absl::Span<const Incarnation> lives);
  // UNAVAILABLE names a host that is not to be reached, though nobody says that
  // it is lost.
  absl::Status CheckReachable(const std::vector<Incarnation>& hosts);

 protected:
  uint64_t lives() const override { return connection_->lives(); }

 private:
  std::shared_ptr<GlobalView> Self() {
    return std::static_pointer_cast<GlobalView>(shared_from_this());
  }
  // `profile`: with no array, to be given one.
  struct Launched {
    std::vector<std::shared_ptr<Shards>> results;
    std::shared_ptr<RemoteShards> profile;  // null: not asked for
  };
  absl::StatusOr<Launched> Submit(
      const RemoteProgram& program,
      const std::vector<std::shared_ptr<Shards>>& arguments,
      std::optional<LaunchProgram::Profile> profile);
  // The lives of the hosts on which the program runs.
  absl::StatusOr<std::vector<Incarnation>> HostsOf(
      const RemoteProgram& program);

  const std::unique_ptr<ClusterConnection> connection_;
  ClusterCheckpoints checkpoints_{this};
  std::atomic<int64_t> latest_results_ = 0;  // the first number of them
  absl::Mutex mutex_;
  // To the latest life of each host that was asked for.
  absl::flat_hash_map<HostId, std::shared_ptr<HostLink>> links_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_GLOBAL_VIEW_H_
