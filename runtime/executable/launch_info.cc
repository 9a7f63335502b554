#include "runtime/executable/launch_info.h"

#include <algorithm>

namespace lockstep::internal {

CollectiveCall CallIn(const LaunchInfo& launch,
                      CancellationToken& cancellation) {
  CollectiveCall call;
  call.epoch = launch.epoch;
  call.launch_sequence = launch.sequence;
  call.launch = launch.number;
  std::copy(launch.recent_programs.begin(), launch.recent_programs.end(),
            call.recent_programs);
  call.cancellation = &cancellation;
  return call;
}

}  // namespace lockstep::internal
