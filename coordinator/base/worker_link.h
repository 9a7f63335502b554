#ifndef LOCKSTEP_COORDINATOR_BASE_WORKER_LINK_H_
#define LOCKSTEP_COORDINATOR_BASE_WORKER_LINK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/cluster/command.h"
#include "runtime/cluster/failure.h"
#include "runtime/cluster/preemption.h"
#include "runtime/cluster/roster.h"

namespace lockstep::internal {

// Answers a request, once. Called with no lock of the coordinator held, by
// whichever thread made it ready; must not block.
template <typename T>
using Done = std::function<void(absl::StatusOr<T>)>;
struct Nothing {
  friend bool operator==(Nothing, Nothing) = default;
};

// What the coordinator tells one life of a worker unasked. Outlives broken
// connections: what is pushed meanwhile arrives after the reconnection, in
// order; of rosters only the latest, before all else. Called like Done, one
// call at a time.
class WorkerLink {
 public:
  virtual ~WorkerLink() = default;
  virtual void PushRoster(const std::shared_ptr<const Roster>& roster) = 0;
  virtual void PushFailure(const Failure& failure) = 0;
  // A line for people; `host`: whom the others wait for.
  virtual void PushNotice(absl::string_view line,
                          const std::optional<HostRef>& host) = 0;
  // The pairs of hosts that cannot reach each other now, all of them.
  virtual void PushCutLinks(const std::vector<CutLink>& links) = 0;
  // In the order of the cluster; not empty.
  virtual void PushCommands(const std::vector<Command>& commands) = 0;
  // Asks for the last step of this host, for an agreement (spec M-28).
  virtual void PushPreemption(int64_t agreement) = 0;
  virtual void PushPreemptionOutcome(const PreemptionOutcome& outcome) = 0;
  virtual void PushShutdown(absl::string_view reason) = 0;
  // The last call: the coordinator has ended with this incarnation.
  virtual void Close(const absl::Status& why) = 0;
};

// What the coordinator tells a client of the global view.
class ClientLink {
 public:
  virtual ~ClientLink() = default;
  // The launch that makes `results` failed.
  virtual void PushLaunchFailed(const LaunchProgram& launch,
                                const absl::Status& status) = 0;
  // So many commands of this client have their place, or were refused.
  virtual void PushPlaced(int64_t count) = 0;
  virtual void PushRoster(const std::shared_ptr<const Roster>& roster) = 0;
  virtual void PushFailure(const Failure& failure) = 0;
  virtual void PushNotice(absl::string_view line) = 0;
  virtual void PushShutdown(absl::string_view reason) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_BASE_WORKER_LINK_H_
