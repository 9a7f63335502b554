#ifndef LOCKSTEP_COORDINATOR_COORDINATOR_H_
#define LOCKSTEP_COORDINATOR_COORDINATOR_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "coordinator/array_list.h"
#include "coordinator/base/options.h"
#include "coordinator/base/worker_link.h"
#include "coordinator/cluster_status.h"
#include "coordinator/health/failure_log.h"
#include "coordinator/health/line_limit.h"
#include "coordinator/health/link_watch.h"
#include "coordinator/health/liveness.h"
#include "coordinator/key_value_service.h"
#include "coordinator/launches/call_ledger.h"
#include "coordinator/launches/launch_order.h"
#include "coordinator/launches/named_arrays.h"
#include "coordinator/meetings/agreement.h"
#include "coordinator/meetings/axis_resolution.h"
#include "coordinator/meetings/barrier.h"
#include "coordinator/meetings/preemption.h"
#include "coordinator/meetings/roll_calls.h"
#include "coordinator/membership/host_directory.h"
#include "coordinator/membership/members.h"
#include "coordinator/membership/readiness.h"
#include "runtime/base/clock.h"

namespace lockstep::internal {

// Assigns ids, lets hosts meet, orders launches, and finds out who is at fault
// when something is wrong. No network and no threads: whoever calls brings the
// thread, `clock` the time; Tick makes deadlines happen.
//
// Thread-safe. Answers and pushes are made by a calling thread after the lock
// is released, in the order in which they were decided, one at a time.
class Coordinator : private HostDirectory {
 public:
  // `clock` outlives this. A timeout of zero in a call is the default of it.
  Coordinator(CoordinatorOptions options, const Clock* clock);

  // ---- workers. `caller` is the incarnation that calls. ----
  // FAILED_PRECONDITION everywhere when it is not alive in this cluster.
  void Join(const WorkerInfo& info, const std::string& peer,
            std::shared_ptr<WorkerLink> link, Done<Membership> done);
  void SetConnected(Incarnation caller, bool is_connected);
  void ResolveAxis(Incarnation caller, AxisQuery query, absl::Duration timeout,
                   Done<SharedAxis> done);
  void Agree(Incarnation caller, AgreementRecord record, absl::Duration timeout,
             Done<AgreementAnswer> done);
  // `call.host` is filled in here.
  void Barrier(Incarnation caller, BarrierCall call, Done<Nothing> done);
  void CallRoll(Incarnation caller, RollCall call, absl::Duration timeout,
                Done<SharedRoll> done);
  // A preemption is coming: all live hosts are asked for their last step, and
  // told the step at which they save. While they are, nothing more happens.
  void NoticePreemption(Incarnation caller, absl::Duration timeout);
  void AnswerPreemption(Incarnation caller, int64_t agreement,
                        int64_t last_step);
  void CancelAxis(Incarnation caller, const std::string& key);
  void CancelAgreement(Incarnation caller, const std::string& key);
  void CancelBarrier(Incarnation caller, const std::string& name);
  void CancelRoll(Incarnation caller, const RollCall& call);
  void Report(Incarnation caller, ProgressReport report);
  void ReportLaunchFailure(Incarnation caller, LaunchFailure failure);
  void Busy(Incarnation caller, std::string what, absl::Duration at_most);
  void ReceivedCommands(Incarnation caller, int64_t sequence);
  // The caller reaches all other hosts and serves clients. Answered when all
  // live hosts do; clients see the cluster only then. DEADLINE_EXCEEDED names
  // those that do not.
  void Ready(Incarnation caller, absl::Duration timeout, Done<Nothing> done);
  // Answered when all hosts have left or are dead, or at the deadline.
  void Leave(Incarnation caller, absl::Duration timeout, Done<Nothing> done);

  void Put(Incarnation caller, const std::string& key, const std::string& value,
           const PutOptions& options, Done<int64_t> done);
  void Get(Incarnation caller, const std::string& key, absl::Duration timeout,
           Done<std::string> done);
  void TryGet(Incarnation caller, const std::string& key,
              Done<std::string> done);
  void Increment(Incarnation caller, const std::string& key, int64_t delta,
                 Done<int64_t> done);
  void List(Incarnation caller, const std::string& prefix,
            Done<std::vector<KeyValue>> done);
  void Delete(Incarnation caller, const std::string& key, Done<Nothing> done);
  void Watch(Incarnation caller, const std::string& prefix, int64_t revision,
             absl::Duration timeout, Done<std::vector<KeyChange>> done);

  // ---- clients of the global view ----
  ClientId OpenClient(const std::string& name,
                      std::shared_ptr<ClientLink> link);
  // Ends the client's programs and arrays.
  void CloseClient(ClientId client);
  // Takes a command in; what happens with it the client hears through its link.
  // INVALID_ARGUMENT: a device or program that does not exist.
  // FAILED_PRECONDITION: no such client; the cluster is not complete.
  absl::Status Submit(ClientId client, LaunchOrder::Action action);
  // Takes several in, in order; a launch that is refused fails, and a launch of
  // a program whose load was refused fails with that status.
  void SubmitAll(ClientId client, std::vector<LaunchOrder::Action> actions);

  // Arrays with names. They live on the hosts until their name is removed.
  // Naming and finding are answered when they have their place in the order of
  // the commands; DEADLINE_EXCEEDED names the hosts that keep them from one.
  // FAILED_PRECONDITION when the client of a handle is not open, or the cluster
  // not complete, or a host with a part of the array is lost.
  //
  // The array is there on all hosts of its devices, in the lives that it says.
  // INVALID_ARGUMENT; ALREADY_EXISTS and ABORTED: NamedArrays::Add.
  void NameArray(ArrayNaming naming, Done<Nothing> done);
  // The array has the handle `result` too. NOT_FOUND; FAILED_PRECONDITION names
  // a host that has taken a part of it along.
  void FindArray(const std::string& name, ArrayHandle result,
                 Done<NamedArray> done);
  void RemoveArray(const std::string& name, Done<Nothing> done);

  // The present membership; null before the cluster is formed.
  std::shared_ptr<const Roster> roster();

  // ---- operators ----
  ClusterStatus Status();
  ArrayList ListArrays();
  // Whether a host is there, or waits for the others.
  bool HasHosts();
  // NoticePreemption of a host, by id or name; "": of none in particular.
  // Answered with the step at which all hosts save. NOT_FOUND: no such host;
  // FAILED_PRECONDITION: it is not alive, the cluster not complete, or of
  // daemons, which have no program of their own.
  void RequestPreemption(const std::string& host, absl::Duration timeout,
                         Done<int64_t> done);
  // Asks workers and clients to end. Answered when all hosts have left or are
  // dead, or at shutdown_deadline.
  void Shutdown(const std::string& reason, Done<Nothing> done);

  // Call often: at least every 100 ms.
  void Tick();
  // Nobody calls Tick any more: calls that still wait are answered.
  void Close();

  const std::string& cluster_id() const { return cluster_id_; }

 private:
  struct ClientRecord {
    std::string name;
    std::shared_ptr<ClientLink> link;
    // The lives that know them, or why they were refused.
    std::map<int64_t, absl::StatusOr<std::vector<HostRef>>> programs = {};
    int64_t placed = 0;       // commands
    int64_t told_placed = 0;  // as the client knows
  };
  // A host whose present life the nouns know.
  struct Followed {
    Incarnation incarnation;
    Epoch since;
    Incarnation before;  // its earlier life; none: 0
  };
  // Waits until everybody has left.
  struct Leaver {
    std::string who;
    std::optional<HostId> host;  // none: an operator
    absl::Time since;
    absl::Time deadline;
    Done<Nothing> done;
    std::shared_ptr<WorkerLink> link;  // null: an operator
  };
  // A launch that failed because a host was not to be reached: first it is
  // found out whether that host is dead.
  struct HeldFailure {
    HostRef origin;
    LaunchFailure failure;
    absl::Time until;
  };
  class DeferredLink;

  // HostDirectory, for the nouns.
  bool Knows(HostId host) const override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  HostRef Ref(HostId host) const override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  HostSet AllHosts() const override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status StateOf(HostId host) const override
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::string Describe(HostId host) const override
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Time BusyUntil(HostId host) const override
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // A lock whose release makes the answers and pushes that were decided.
  class Turn;
  void Flush() ABSL_LOCKS_EXCLUDED(mutex_);
  // `done`, to be called by Flush.
  template <typename T>
  Done<T> Later(Done<T> done);
  // The caller's record; null, and `done` answered, when it is not alive.
  template <typename T>
  const MemberRecord* Caller(Incarnation caller, const Done<T>& done)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Time Now() const { return clock_.Now(); }
  absl::Duration LateAbort() const;
  static absl::Duration Or(absl::Duration timeout, absl::Duration otherwise);

  // Whether all hosts live the lives that somebody knows who has heard of the
  // cluster as it was in `epoch` (zero: whatever they are).
  bool KnowsAllLives(Epoch epoch) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // OK when the present lives of `hosts` are those that somebody knows who has
  // heard of the cluster as it was in `epoch` (zero: whatever they are). Else
  // names one that has ended: who waits for that waits for ever.
  absl::Status CheckTogether(const std::vector<HostId>& hosts,
                             Epoch epoch) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // What follows from a change of members_: roster, liveness, nouns.
  void FollowMembers() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FollowMember(const MemberRecord& member)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Tells members of the present roster: at once when that has not happened
  // for a while, else a little later, so that many changes cost few messages.
  void PushRosterSoon() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PushRoster() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PushToMembers(const std::function<void(WorkerLink&)>& push)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PushToClients(const std::function<void(ClientLink&)>& push)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EndHost(HostId host, HostCondition condition, const absl::Status& cause)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void LoseInMeetings(const HostRef& host, const absl::Status& cause)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Of any host with that id or name.
  absl::StatusOr<HostRef> FindHost(const std::string& text) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void BeginPreemption(const std::string& whose, absl::Duration timeout,
                       Done<int64_t> done)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TellOutcome(const std::optional<PreemptionOutcome>& outcome)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A life that begins: what the others know.
  void TellOfPreemption(const MemberRecord& member)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void HandleLaunchFailure(const HostRef& origin, const LaunchFailure& failure,
                           bool tell_origin)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Null: nobody hears.
  WorkerLink* LinkOf(HostId host) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Ends calls that are not the same on all hosts.
  void EndDifferentCalls() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Ends meetings that began `patience` ago and that a host, or `by`, has gone
  // past: it will not come to them. It runs what the hosts agreed on before,
  // where others have something else.
  void EndPassedMeetings(std::optional<HostId> by, absl::Duration patience)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // And those that some have not made, when the last one leaves.
  void EndUnequalCounts() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EndCall(CallLedger::CallDifference difference)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Until when an earlier cause may come; none: it is the first.
  std::optional<absl::Time> HeldUntil(const LaunchFailure& failure,
                                      HostId origin) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // In the log, and to the client; none when it had failed before.
  std::optional<Failure> RecordFailure(const HostRef& origin,
                                       const LaunchFailure& failure)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The meetings of the call that failed.
  void FailMeetings(const Failure& failure)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PushFailure(HostId host, const Failure& failure)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TellClientOf(const LaunchFailure& failure)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ActOn(const Liveness::Findings& findings)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EndLaunches(const std::vector<Liveness::LaunchEnd>& ends)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CheckLinks(absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Shows the cluster to clients when it is ready.
  void ShowWhenReady() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::string WaitingLine() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AnswerLeavers() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<PendingWait> Waits(absl::Time begun_by = absl::InfiniteFuture())
      const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Status Take(ClientId client, LaunchOrder::Action action)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Dispatch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TellPlaced() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<std::set<HostId>> HostsOf(ClientRecord& client,
                                           const LaunchOrder::Action& action)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  HostStatus StatusOf(const MemberRecord& member) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Status TryName(ArrayNaming naming, const Done<Nothing>& done)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status TryFind(const std::string& name, ArrayHandle result,
                       const Done<NamedArray>& done)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  NamedArray Described(const std::string& name,
                       const NamedArrays::Entry& entry) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Its name. FAILED_PRECONDITION: it is not open; the cluster is not complete.
  absl::StatusOr<std::string> CheckClient(ClientId client) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // INVALID_ARGUMENT: no device, one twice, one that the cluster does not have.
  absl::StatusOr<std::set<HostId>> HostsOf(
      absl::Span<const GlobalDeviceId> devices) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // OK, or which host is gone with its shards.
  absl::Status LossOf(const std::string& name,
                      const NamedArrays::Entry& entry) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A command of kNoClient that waits for its place. Both are called with the
  // lock held; null: nobody waits.
  struct OwnCommand {
    std::string what;  // for errors
    absl::Time deadline = absl::InfiniteFuture();
    // Once: OK when it has its place, else why it is not waited for.
    std::function<void(absl::Status)> on_end = nullptr;
    // It has its place after an error.
    std::function<void()> on_late_place = nullptr;
  };
  void DeleteLater(ArrayHandle array) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EnqueueOwn(LaunchOrder::Action action, std::set<HostId> hosts,
                  OwnCommand command) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The first of them.
  void OwnCommandHasPlace() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Those whose deadline is not after `deadline` end with `why`.
  void EndOwnCommands(absl::Time deadline, const absl::Status& why)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CheckOwnCommands(absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static absl::Status ServerEnds();

  const CoordinatorOptions options_;
  const std::string cluster_id_;
  const Clock& clock_;

  absl::Mutex mutex_;
  Members members_ ABSL_GUARDED_BY(mutex_);
  Liveness liveness_ ABSL_GUARDED_BY(mutex_);
  CallLedger calls_ ABSL_GUARDED_BY(mutex_);
  LinkWatch links_ ABSL_GUARDED_BY(mutex_);
  Readiness readiness_ ABSL_GUARDED_BY(mutex_);
  // The membership that clients know; the first is the one they see when it is
  // ready.
  Epoch shown_epoch_ ABSL_GUARDED_BY(mutex_);
  Barriers barriers_ ABSL_GUARDED_BY(mutex_);
  Agreements agreements_ ABSL_GUARDED_BY(mutex_);
  AxisResolutions axes_ ABSL_GUARDED_BY(mutex_);
  RollCalls rolls_ ABSL_GUARDED_BY(mutex_);
  Preemption preemption_ ABSL_GUARDED_BY(mutex_);
  KeyValueService key_values_ ABSL_GUARDED_BY(mutex_);
  LaunchOrder launch_order_ ABSL_GUARDED_BY(mutex_);
  NamedArrays named_arrays_ ABSL_GUARDED_BY(mutex_);
  // Of the commands of kNoClient that wait for their place.
  std::deque<OwnCommand> own_commands_ ABSL_GUARDED_BY(mutex_);
  bool is_closed_ ABSL_GUARDED_BY(mutex_) = false;
  FailureLog failures_ ABSL_GUARDED_BY(mutex_);
  LineLimit failure_lines_ ABSL_GUARDED_BY(mutex_){4, absl::Seconds(1)};
  std::map<ClientId, ClientRecord> clients_ ABSL_GUARDED_BY(mutex_);
  int64_t last_client_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<Leaver> leavers_ ABSL_GUARDED_BY(mutex_);
  std::vector<HeldFailure> held_failures_ ABSL_GUARDED_BY(mutex_);
  std::optional<std::string> shutdown_reason_ ABSL_GUARDED_BY(mutex_);
  // As of the last FollowMembers.
  std::map<HostId, Followed> followed_ ABSL_GUARDED_BY(mutex_);
  Epoch followed_epoch_ ABSL_GUARDED_BY(mutex_);
  HostSet all_hosts_ ABSL_GUARDED_BY(mutex_);
  // What members know.
  Epoch pushed_epoch_ ABSL_GUARDED_BY(mutex_);
  absl::Time pushed_at_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  int followed_formation_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Time last_tick_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  std::deque<std::function<void()>> effects_ ABSL_GUARDED_BY(mutex_);
  bool is_flushing_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_COORDINATOR_H_
