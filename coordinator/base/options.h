#ifndef LOCKSTEP_COORDINATOR_BASE_OPTIONS_H_
#define LOCKSTEP_COORDINATOR_BASE_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "runtime/cluster/time_limits.h"
#include "runtime/cluster/worker_info.h"

namespace lockstep::internal {

// Spec M-29. Every duration can be set; tests set the clock instead.
struct CoordinatorOptions {
  // None: what the first worker to join says; if it says nothing, 1.
  std::optional<int32_t> expected_hosts;
  // Names that are known to come (a launcher's node list), for messages.
  std::vector<std::string> expected_names;
  // Names this cluster: a worker of another one is refused. "": a random one.
  std::string cluster_id;

  // From the first worker that joins until all are there.
  absl::Duration join_deadline = absl::Seconds(300);
  absl::Duration report_interval = absl::Seconds(1);
  // A host that has not reported for so long is dead.
  absl::Duration silence = absl::Seconds(3);
  // A host whose stream is broken and whose process is gone is dead.
  absl::Duration exited_after = absl::Seconds(1);
  // Others wait for it that long: named.
  absl::Duration named_after = absl::Seconds(4);
  // Named that long: what the others wait for fails. Zero: never.
  absl::Duration stall_abort = absl::Seconds(30);
  absl::Duration late_abort = absl::Seconds(600);
  // Once participants are known to differ, how long the rest may take to make
  // the message complete.
  absl::Duration mismatch_patience = absl::Seconds(1);
  // Defaults of calls that give none.
  absl::Duration wait_deadline = absl::Seconds(300);
  absl::Duration key_wait = absl::Seconds(60);
  absl::Duration shutdown_deadline = absl::Seconds(30);
  // From the notice of a preemption until all hosts have said their last step.
  absl::Duration preemption_deadline = absl::Seconds(30);
  // From the join of a host until it and all others reach each other.
  absl::Duration link_deadline = absl::Seconds(60);

  // Makes the secret of an epoch, by which workers know each other's
  // connections. Null: none.
  std::function<std::string()> make_secret;

  // Launches and other commands of clients that one worker has not yet
  // received. Beyond it clients take turns.
  size_t max_commands_in_flight = 256;

  // Whether the process of a worker is known to be gone. Null: never known.
  std::function<bool(const WorkerInfo&)> process_is_gone;

  // What the other processes of the cluster derive their limits from.
  TimeLimits limits() const {
    return {report_interval, silence, link_deadline};
  }
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_BASE_OPTIONS_H_
