#ifndef LOCKSTEP_COORDINATOR_MEMBERSHIP_MEMBERS_H_
#define LOCKSTEP_COORDINATOR_MEMBERSHIP_MEMBERS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "coordinator/base/options.h"
#include "coordinator/base/worker_link.h"
#include "runtime/cluster/roster.h"
#include "runtime/cluster/worker_info.h"
#include "runtime/mesh/world_index.h"

namespace lockstep::internal {

// One worker, before and after it has a host id.
struct MemberRecord {
  WorkerInfo info;
  std::string peer;  // the address that it calls from
  std::shared_ptr<WorkerLink> link;
  HostId id;
  MemberState state = MemberState::kAlive;
  std::string state_reason;  // why it is dead
  bool is_connected = true;
  absl::Time connection_changed_at;
  Done<Membership> done;  // of a join that waits

  HostRef ref() const { return {id, info.name, info.incarnation}; }
  bool is_alive() const { return state == MemberState::kAlive; }
};

// Who belongs to the cluster, and under which ids (spec M-17, M-26). Workers
// wait as joiners until all expected ones are there; then all get their ids at
// once. When nobody is alive any more, the next to join start a cluster
// anew. Not thread-safe; owned by Coordinator.
class Members {
 public:
  // `options` outlives this.
  Members(const CoordinatorOptions* options, std::string cluster_id)
      : options_(*options), cluster_id_(std::move(cluster_id)) {}

  // Answered through joiner.done when the cluster is complete, or with an
  // error of M-17.
  void Join(MemberRecord joiner, absl::Time now);
  // Answers all that wait to join with `status`.
  void RefuseWaiting(const absl::Status& status);
  // The stream of `incarnation` is there again, or broke.
  void SetConnected(Incarnation incarnation, bool is_connected, absl::Time now);
  // The host left or is dead. The epoch grows.
  void End(HostId host, MemberState state, std::string reason, absl::Time now);
  // Deadlines of joiners; those whose name was in use join when it is free.
  void Tick(absl::Time now);

  bool is_formed() const { return is_formed_; }
  // Grows whenever a cluster forms anew.
  int formation() const { return formation_; }
  const std::string& cluster_id() const { return cluster_id_; }
  Epoch epoch() const { return epoch_; }
  int32_t expected_hosts() const;
  // The same object until the epoch changes.
  std::shared_ptr<const Roster> roster() const;
  const World& world() const { return world_; }
  const WorldIndex& world_index() const { return world_index_; }

  // By host id; empty before the cluster is formed.
  const std::vector<MemberRecord>& members() const { return members_; }
  const std::vector<MemberRecord>& joiners() const { return joiners_; }
  const MemberRecord* Find(HostId host) const;
  // A member, dead or alive, or null.
  const MemberRecord* FindLife(Incarnation incarnation) const;
  // A live member. FAILED_PRECONDITION for an incarnation that is unknown,
  // dead or has left; names it, and the one that has its place.
  absl::StatusOr<const MemberRecord*> FindAlive(Incarnation incarnation) const;
  bool AnyAlive() const { return alive_count_ > 0; }
  int alive_count() const { return alive_count_; }
  // Members whose life began or ended since the last call.
  std::vector<HostId> TakeChanged() { return std::exchange(changed_, {}); }
  std::vector<HostRef> Refs(const std::vector<HostId>& hosts) const;

  // "2 of 4 hosts joined; missing: gpu03 (never seen)".
  std::string WaitingLine(absl::Time now) const;

 private:
  void JoinForming(MemberRecord joiner, absl::Time now);
  // Those on loopback, which the latest joiner cannot reach.
  void RefuseUnreachable();
  void JoinFormed(MemberRecord joiner, absl::Time now);
  void FormIfComplete(absl::Time now);
  void NextEpoch(int64_t step);
  void StartAnew();
  void SetWorld(World world);
  void AddMember(MemberRecord record);
  // Calls `change` with the record of that life, wherever it is.
  void ForLife(Incarnation incarnation,
               const std::function<void(MemberRecord&)>& change);
  // What no two hosts may have in common.
  static std::vector<std::string> ClaimsOf(const WorkerInfo& info);
  // After joiners_ has lost some.
  void IndexJoiners();
  void IndexJoiner(size_t place);
  void Refuse(MemberRecord& joiner, const absl::Status& status);
  // At once, or when the time has come: each costs a message to everybody.
  void TellJoiners(absl::Time now);
  absl::Status CheckAgainstJoiners(const MemberRecord& joiner) const;
  std::vector<std::string> MissingNames(absl::Time now) const;
  // FAILED_PRECONDITION when the incarnation has ended; names it and the one
  // that has its place.
  absl::Status CheckNotEnded(Incarnation incarnation) const;

  const CoordinatorOptions& options_;
  const std::string cluster_id_;
  bool is_formed_ = false;
  int formation_ = 0;
  Epoch epoch_;
  std::vector<std::string> secrets_;  // the present epoch's first
  World world_;
  WorldIndex world_index_{world_};
  mutable std::shared_ptr<const Roster> roster_;  // of some epoch, or null
  std::vector<MemberRecord> members_;
  absl::flat_hash_map<Incarnation, HostId> lives_;  // of members_
  int alive_count_ = 0;
  std::vector<HostId> changed_;
  std::vector<MemberRecord> joiners_;  // in the order of arrival
  // Places in joiners_, by name, life, and what they claim.
  absl::flat_hash_map<std::string, size_t> joiners_by_name_;
  absl::flat_hash_map<Incarnation, size_t> joiners_by_life_;
  absl::flat_hash_map<std::string, size_t> joiners_by_claim_;
  absl::flat_hash_map<std::string, size_t> joiners_by_network_;  // the latest
  // When joiners were last told who is missing, and whether that has changed.
  absl::Time told_at_ = absl::InfinitePast();
  bool is_telling_due_ = false;
  // Joined under the name of a live member whose connection is broken.
  std::vector<MemberRecord> held_;
  absl::Time forming_since_ = absl::InfiniteFuture();
  std::optional<int32_t> launcher_hosts_;  // what the first joiner expects
  // Joiners that went away while waiting, by name: when and why.
  std::map<std::string, std::pair<absl::Time, std::string>> gone_joiners_;
  struct Ended {
    HostRef host;
    std::string reason;
  };
  // Incarnations that will not be taken again.
  std::map<Incarnation, Ended> ended_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEMBERSHIP_MEMBERS_H_
