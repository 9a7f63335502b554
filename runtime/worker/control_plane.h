#ifndef LOCKSTEP_RUNTIME_WORKER_CONTROL_PLANE_H_
#define LOCKSTEP_RUNTIME_WORKER_CONTROL_PLANE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "runtime/base/cancellation.h"
#include "runtime/cluster/agreement_record.h"
#include "runtime/cluster/axis_query.h"
#include "runtime/cluster/command.h"
#include "runtime/cluster/failure.h"
#include "runtime/cluster/preemption.h"
#include "runtime/cluster/progress.h"
#include "runtime/cluster/roll_call.h"
#include "runtime/cluster/roster.h"
#include "runtime/cluster/worker_info.h"
#include "runtime/collectives/key_value_store.h"

namespace lockstep::internal {

// Something people should know while they wait. Not an error.
struct Notice {
  enum class Kind {
    kWaitingForHosts,         // before Join returns: who is there, who is not
    kHostNamed,               // others wait for this host: stuck, late, silent
    kCoordinatorUnreachable,  // since when; waits block
    kCoordinatorBack,
  };
  Kind kind = Kind::kHostNamed;
  std::string message;          // one line
  std::optional<HostRef> host;  // of kHostNamed
};

// Hears what the coordinator pushes. Called one at a time, in order, on a
// thread of the control plane, with no lock held. Must not block, and must not
// call the control plane's blocking methods.
class ControlPlaneObserver {
 public:
  virtual ~ControlPlaneObserver() = default;

  // The membership changed (after Join returned): the epoch is higher.
  virtual void OnRoster(const Roster& roster) {}
  // A launch failed on another host, or a host is lost: end the launches that
  // `failure` concerns with failure.ToStatus().
  virtual void OnFailure(const Failure& failure) {}
  virtual void OnNotice(const Notice& notice) {}
  // The pairs of hosts that cannot reach each other now, all of them.
  virtual void OnCutLinks(const std::vector<CutLink>& links) {}
  // A preemption is coming: the last step that the program of this host has
  // come to. It comes to no other until `agreement` has its outcome (spec
  // M-28).
  virtual int64_t OnPreemption(int64_t agreement) { return kNoStep; }
  virtual void OnPreemptionOutcome(const PreemptionOutcome& outcome) {}
  // Global view: take up `command`, after all earlier ones.
  virtual void OnCommand(const Command& command) {}
  // The cluster is asked to end (`lockstep down`): finish, Leave, exit.
  virtual void OnShutdown(absl::string_view reason) {}
  // The coordinator was unreachable for coordinator_grace, or refused us:
  // nothing will come any more. End every wait with `status`.
  virtual void OnCoordinatorLost(const absl::Status& status) {}
};

struct WaitOptions {
  // Zero: the default of the call (spec M-29).
  absl::Duration timeout;
  // Ends the wait early with its cause; null: none. Outlives the call.
  CancellationToken* cancellation = nullptr;
};

// A worker's side of the coordinator. Implementations: CoordinatorSession (over
// gRPC) and LocalControlPlane (a cluster of one). Thread-safe.
//
// Every blocking call ends. Errors that each of them may give:
//   ABORTED            because of another host; OriginOf(status) names it
//   UNAVAILABLE        the coordinator is not to be reached since
//                      coordinator_grace; names its address
//   FAILED_PRECONDITION  this incarnation is not (or no more) of the cluster;
//                      before Join or after Leave
//   the cancellation's cause
class ControlPlane {
 public:
  virtual ~ControlPlane() = default;

  // Once, before everything else. Waits until the expected hosts are there, at
  // most join_deadline. `observer` outlives this object, and hears
  // kWaitingForHosts already while this waits. Further errors: the table of
  // M-17.
  virtual absl::StatusOr<Membership> Join(const WorkerInfo& self,
                                          ControlPlaneObserver* observer) = 0;

  // This host reaches all others and can be reached: waits until all live hosts
  // say so. DEADLINE_EXCEEDED names those that did not in time.
  virtual absl::Status Ready(const WaitOptions& options) = 0;

  // Meets the same query of the other participants: the hosts of
  // query.devices, or all. Errors are those of J-6, J-9, J-10, the same on
  // every participant (J-9: on this host only).
  virtual absl::StatusOr<AxisResolution> ResolveAxis(
      const AxisQuery& query, const WaitOptions& options) = 0;

  // OK when every participant submitted an equal record, FAILED_PRECONDITION
  // on every participant otherwise (M-18). Ended by late_abort.
  virtual absl::Status Agree(const AgreementRecord& record,
                             const WaitOptions& options) = 0;

  // M-21. No participants: all hosts.
  virtual absl::Status Barrier(absl::string_view name,
                               absl::Span<const HostId> participants,
                               const WaitOptions& options) = 0;

  // M-27: those of call.hosts that are alive, when all of them have asked.
  virtual absl::StatusOr<RollCallAnswer> CallRoll(
      const RollCall& call, const WaitOptions& options) = 0;

  // M-28. A preemption of this host is coming: all hosts are asked for their
  // last step, this one too, and hear the outcome. Does not wait: OK does not
  // say that they are.
  virtual absl::Status NoticePreemption() = 0;

  // Of the cluster (M-22). Lives as long as this.
  virtual KeyValueStore& key_value_store() = 0;

  // `source` is called once a second on a thread of the control plane and must
  // not block. Replaces the one before; null: idle. After the return the one
  // before is not called any more.
  virtual void SetProgressSource(std::function<ProgressReport()> source) = 0;

  // Tells the other participants that a launch failed here; does not wait.
  virtual void ReportLaunchFailure(const LaunchFailure& failure) = 0;

  // Announces that this host is busy with `what`: postpones late_abort. With no
  // time it is not any more.
  virtual void Busy(absl::string_view what, absl::Duration at_most) = 0;

  // Blocks while the coordinator is unreachable. Call before a launch.
  virtual absl::Status AwaitCoordinator() = 0;

  // Says goodbye, waits until all hosts have (M-25). Afterwards this object
  // is at its end whatever the status says. Idempotent. DEADLINE_EXCEEDED
  // names the hosts that had not left after shutdown_deadline.
  virtual absl::Status Leave(const WaitOptions& options) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_CONTROL_PLANE_H_
