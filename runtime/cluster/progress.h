#ifndef LOCKSTEP_RUNTIME_CLUSTER_PROGRESS_H_
#define LOCKSTEP_RUNTIME_CLUSTER_PROGRESS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "runtime/mesh/ids.h"

namespace lockstep {

// One launch. Launches are counted per launch stream, that is per ordered list
// of devices; `stream` is the digest of that list.
struct LaunchKey {
  uint64_t stream = 0;
  LaunchNumber number;
  friend bool operator==(const LaunchKey&, const LaunchKey&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const LaunchKey& key) {
    return H::combine(std::move(h), key.stream, key.number);
  }
};

enum class LaunchPhase {
  kPreparing,  // cliques, memory
  kRunning,
  kWaiting,  // in a collective, for others
  kDone,     // this launch is the last one of its stream so far
  kFailed,
};

// The most recent launch of one stream on one host.
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
  // How long it has been at this place. The control plane fills it in.
  absl::Duration unchanged_for;
};

// Whether nothing has moved between two reports of one stream.
bool IsSamePlace(const LaunchProgress& a, const LaunchProgress& b);

// What a worker reports once a second (spec M-23).
struct ProgressReport {
  std::string activity;  // for people: "compiling train_step"; "": idle
  std::vector<LaunchProgress> launches;  // one per stream that is in use
};

// "all_reduce #812 of launch 5 (train_step)", or "launch 5 (train_step)" before
// the first collective.
std::string PlaceText(const LaunchProgress& progress);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_CLUSTER_PROGRESS_H_
