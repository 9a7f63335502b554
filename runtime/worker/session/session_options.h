#ifndef LOCKSTEP_RUNTIME_WORKER_SESSION_SESSION_OPTIONS_H_
#define LOCKSTEP_RUNTIME_WORKER_SESSION_SESSION_OPTIONS_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "proto/security/credentials.h"

namespace lockstep::internal {

class CoordinatorStream;

// Spec M-29.
struct SessionOptions {
  std::string address;  // host:port of the coordinator
  Credentials credentials;
  // How long Join tries to reach the coordinator and waits for the other hosts.
  absl::Duration join_deadline = absl::Seconds(300);
  // Until the cluster's is known.
  absl::Duration report_interval = absl::Seconds(1);
  // How long calls wait for a coordinator that cannot be reached.
  absl::Duration coordinator_grace = absl::Seconds(60);
  // How long Leave waits for one.
  absl::Duration leave_grace = absl::Seconds(2);
  // Pauses between attempts grow from the first to the last.
  absl::Duration first_pause = absl::Milliseconds(20);
  absl::Duration last_pause = absl::Milliseconds(500);
  // Until all hosts must have answered to a notice of this one; zero: the
  // coordinator's.
  absl::Duration preemption_deadline;
  // Null: over gRPC.
  std::function<std::unique_ptr<CoordinatorStream>()> open_stream;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_SESSION_SESSION_OPTIONS_H_
