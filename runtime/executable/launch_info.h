#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_LAUNCH_INFO_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_LAUNCH_INFO_H_

#include <array>
#include <cstdint>
#include <string>

#include "runtime/base/cancellation.h"
#include "runtime/collectives/communicator.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// Identifies one launch, the same on all its devices and hosts.
struct LaunchInfo {
  std::string program;  // its name, for messages
  Epoch epoch;
  // The sequence in which launches are counted (LaunchKey).
  uint64_t sequence = 0;
  LaunchNumber number;
  // Fingerprints of the launches of this sequence that came last, this one
  // included, newest first (0: none).
  std::array<uint64_t, 3> recent_programs = {0, 0, 0};
};

// A collective of the launch, of which nothing else is set.
CollectiveCall CallIn(const LaunchInfo& launch,
                      CancellationToken& cancellation);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_LAUNCH_INFO_H_
