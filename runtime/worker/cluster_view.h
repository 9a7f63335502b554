#ifndef LOCKSTEP_RUNTIME_WORKER_CLUSTER_VIEW_H_
#define LOCKSTEP_RUNTIME_WORKER_CLUSTER_VIEW_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/cluster/failure.h"
#include "runtime/cluster/links.h"
#include "runtime/cluster/roster.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/mesh/device_assignment.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// What a worker knows of the membership of its cluster. Not synchronised.
class ClusterView {
 public:
  ClusterView() = default;
  explicit ClusterView(const Roster& roster) { Update(roster); }

  // Rosters may come in any order; an older one tells only since when a life
  // has been a member.
  void Update(const Roster& roster);
  // The failure of a host, until a roster names another life of it.
  void MarkLost(const HostRef& host, const absl::Status& status);

  // Replaces the pairs of hosts that cannot reach each other.
  void SetCutLinks(std::vector<CutLink> links) { cut_ = std::move(links); }
  // ABORTED when two of the hosts cannot reach each other; names them.
  absl::Status CheckLinks(const std::vector<HostId>& hosts) const;

  const Roster& roster() const { return roster_; }
  // "host 3 (gpu03)"; the number alone for an unknown host.
  std::string Name(HostId host) const;

  // The hosts of the assignment's devices, ascending. INVALID_ARGUMENT names a
  // device that the cluster does not have.
  absl::StatusOr<std::vector<HostId>> Participants(
      const DeviceAssignment& assignment) const;

  // The hosts of `devices` in their present lives, ascending; none: all. Errors
  // as of Participants and Members; hosts that have left are among them.
  absl::StatusOr<std::vector<HostRef>> Hosts(
      const std::optional<std::vector<GlobalDeviceId>>& devices) const;
  // Whether `host` has not been followed by another life.
  bool IsCurrent(const HostRef& host) const;

  // Who drives every place, by flattened id. ABORTED names a host that is lost,
  // with its failure; FAILED_PRECONDITION one that has left, unless
  // `may_have_left`: for programs whose devices never meet, which a host that
  // is done with them need not wait for.
  absl::StatusOr<std::vector<CliqueMember>> Members(
      const DeviceAssignment& assignment, bool may_have_left = false) const;

  // The epoch that launches of these hosts carry: when the last of them came.
  // Members that come or go elsewhere do not change it.
  Epoch EpochOf(const std::vector<HostId>& participants) const;

 private:
  struct Life {
    Incarnation incarnation;
    Epoch since;
    absl::Status lost;  // OK while it is alive
  };
  absl::Status CheckAlive(const Member& member) const;

  Roster roster_;
  std::vector<CutLink> cut_;
  std::map<HostId, Life> lives_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_CLUSTER_VIEW_H_
