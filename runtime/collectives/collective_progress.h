#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_COLLECTIVE_PROGRESS_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_COLLECTIVE_PROGRESS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/launch_id.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// A local device that is inside a collective.
struct CollectiveWait {
  GlobalDeviceId device;
  LaunchId launch;
  int64_t number = 0;
  std::string description;
  absl::Time since;
  // Members that have not arrived, as far as this process knows. A device of
  // another host counts as missing until that host's message has come.
  std::vector<CliqueMember> missing;
};

// What liveness is judged by (spec M-23): polled about once a second.
// Thread-safe; never waits for a collective.
class CollectiveProgress {
 public:
  virtual ~CollectiveProgress() = default;
  // One entry per device that waits, by device.
  virtual std::vector<CollectiveWait> Waits() const = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_COLLECTIVE_PROGRESS_H_
