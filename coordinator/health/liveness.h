#ifndef LOCKSTEP_COORDINATOR_HEALTH_LIVENESS_H_
#define LOCKSTEP_COORDINATOR_HEALTH_LIVENESS_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "coordinator/base/options.h"
#include "coordinator/health/launch_waits.h"
#include "coordinator/meetings/meeting_table.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/cluster/progress.h"
#include "runtime/cluster/worker_info.h"

namespace lockstep::internal {

// What the coordinator thinks of a host (spec M-23).
enum class HostCondition {
  kAlive,
  kSuspect,  // its stream is broken, its time is not up
  kLate,     // others wait for it to come
  kStuck,    // others wait for it, it is inside a launch and does not move
  kSlow,     // it moves, but the others wait for it much of the time
  kSilent,   // dead: no report
  kExited,   // dead: its process ended
  kLeft,
};
// "alive", "suspect", ...
const char* ToString(HostCondition condition);

// Classifies hosts by what they report and who waits for them. Not
// thread-safe; owned by Coordinator.
class Liveness {
 public:
  // `options` outlives this.
  explicit Liveness(const CoordinatorOptions* options) : options_(*options) {}

  // The life of `host` begins or, with a new incarnation, begins again.
  void Add(const HostRef& host, const WorkerInfo& info, absl::Time now);
  void Clear() { hosts_.clear(); }
  void Report(HostId host, ProgressReport report, absl::Time now);
  void SetConnected(HostId host, bool is_connected, absl::Time now);
  // The host is busy with `what` for so long; with no time it is not any more.
  void Busy(HostId host, std::string what, absl::Duration at_most,
            absl::Time now);
  // kSilent, kExited or kLeft.
  void End(HostId host, HostCondition condition);
  // The coordinator itself stood still until now: nobody could report.
  void Excuse(absl::Duration pause, absl::Time now);

  // A host that is dead.
  struct Death {
    HostId host;
    HostCondition condition;
    absl::Status cause;
  };
  // A host that others wait for.
  struct Naming {
    HostRef host;
    std::string line;
  };
  // A launch that will not end.
  struct LaunchEnd {
    LaunchProgress launch;
    HostRef origin;
    absl::Status cause;
    bool is_shared = false;            // see Failure
    std::vector<HostId> waiting = {};  // those of its hosts that wait in it
  };
  struct Findings {
    std::vector<Death> deaths;
    std::vector<Naming> namings;  // each once per wait
    std::vector<LaunchEnd> launch_ends;
  };
  // `meetings`: who waits at barriers, agreements and so on.
  Findings Check(const std::vector<PendingWait>& meetings, absl::Time now);

  HostCondition ConditionOf(HostId host) const;
  // "host 3 (gpu03), stuck, in all_reduce #811 of launch 5 (train_step)".
  std::string Describe(HostId host) const;
  // What it is doing, "" when nothing.
  std::string Activity(HostId host) const;
  absl::Time BusyUntil(HostId host) const;
  absl::Time LastReport(HostId host) const;
  // The latest launch that it reported, or null.
  const LaunchProgress* LatestLaunch(HostId host) const;
  // The launches in which one of two hosts waits for the other.
  std::vector<LaunchProgress> WaitsBetween(HostId a, HostId b) const;
  // "3 hosts wait in all_reduce #812 of launch 5 (train_step)": what goes on
  // where `host` takes part.
  std::string RunningWith(HostId host) const;

 private:
  struct Record {
    HostRef host;
    WorkerInfo info;
    HostCondition condition = HostCondition::kAlive;
    bool is_connected = true;
    absl::Time connection_changed_at;
    absl::Time last_report;
    HostProgress progress;
    std::string activity;
    // What it is busy with, and until when.
    std::map<std::string, absl::Time> busy;
    // How often, of its reports, the others waited for it alone; decays.
    double held_up = 0;
    double reports = 0;
  };

  bool IsAlive(const Record& record) const;
  // Until nothing is left of what it announced; the past: it did not.
  static absl::Time BusyUntil(const Record& record);
  // What it announced or said of itself; "": nothing.
  static std::string Doing(const Record& record);
  void FindDead(absl::Time now, Findings& findings) const;
  void CheckMeetings(const std::vector<PendingWait>& meetings, absl::Time now,
                     Findings& findings);
  // In any launch.
  static bool IsWaiting(const Record& record);
  bool AnyLaunchWaits() const;
  void CheckLaunches(const std::vector<PendingWait>& meetings, absl::Time now,
                     Findings& findings);
  // A wait with nobody to blame.
  void CheckUnfounded(const LaunchWait& wait, absl::Time now,
                      Findings& findings);
  void CheckCulprit(const LaunchWait& wait, const LaunchCulprit& culprit,
                    absl::Time now, Findings& findings);
  void CheckCircles(const std::vector<LaunchWait>& waits,
                    const std::vector<HostProgress>& hosts, absl::Time now,
                    Findings& findings);
  void Name(const Record& record, const std::string& wait,
            const std::string& line, Findings& findings);
  void CountHoldUps(HostId reporter);
  void MarkSlow();
  std::vector<HostProgress> AllProgress() const;

  const CoordinatorOptions& options_;
  std::map<HostId, Record> hosts_;
  // (host, wait) pairs that have been named, and those seen by this Check.
  std::set<std::pair<HostId, std::string>> named_;
  std::set<std::pair<HostId, std::string>> still_named_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_HEALTH_LIVENESS_H_
