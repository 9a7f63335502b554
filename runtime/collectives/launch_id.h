#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_LAUNCH_ID_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_LAUNCH_ID_H_

#include <cstdint>
#include <utility>

#include "runtime/collectives/communicator.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// One launch, the same on all its hosts: launches are counted per epoch and
// sequence (LaunchKey).
struct LaunchId {
  Epoch epoch;
  uint64_t sequence = 0;
  LaunchNumber launch;
  friend bool operator==(const LaunchId&, const LaunchId&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const LaunchId& id) {
    return H::combine(std::move(h), id.epoch, id.sequence, id.launch);
  }
};

inline LaunchId LaunchOf(const CollectiveCall& call) {
  return LaunchId{call.epoch, call.launch_sequence, call.launch};
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_LAUNCH_ID_H_
