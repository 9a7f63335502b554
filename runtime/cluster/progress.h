#ifndef LOCKSTEP_RUNTIME_CLUSTER_PROGRESS_H_
#define LOCKSTEP_RUNTIME_CLUSTER_PROGRESS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "runtime/cluster/call.h"
#include "runtime/cluster/links.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

enum class LaunchPhase {
  kPreparing,  // cliques, memory
  kRunning,
  kWaiting,  // in a collective, for others
  kDone,     // this launch is the last one of its sequence so far
  kFailed,
};

// One launch on one host: one that is not over, or the last of its sequence.
struct LaunchProgress {
  LaunchKey launch;
  std::string program;
  std::vector<HostId> participants;
  LaunchPhase phase = LaunchPhase::kRunning;
  // Number of the collective entered last, -1 before the first. The least one
  // over the local devices.
  int64_t collective = -1;
  std::string collective_name;  // "all_reduce #812"
  int64_t thunk_count = 0;      // executed so far, over the local devices
  // In kWaiting: hosts whose messages are missing, as far as known.
  std::vector<HostId> waiting_for;
  // Of this launch, in place of the coordinator's; zero: those.
  absl::Duration stall_abort;
  absl::Duration late_abort;
  // How long it has been at this place. The control plane fills it in.
  absl::Duration unchanged_for;
};

// Whether nothing has moved between two reports of one launch.
bool IsSamePlace(const LaunchProgress& a, const LaunchProgress& b);

// What a worker reports once a second (spec M-23).
struct ProgressReport {
  std::string activity;  // for people: "compiling train_step"; "": idle
  std::vector<LaunchProgress> launches;
  // The sequences in which several hosts take part.
  std::vector<SequenceProgress> sequences;
  // Other hosts from which nothing has come for a while; those that are not
  // here are heard.
  std::vector<SilentPeer> silent_peers;
};

// "all_reduce #812 of launch 5 (train_step)", or "launch 5 (train_step)" before
// the first collective.
std::string PlaceText(const LaunchProgress& progress);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_PROGRESS_H_
