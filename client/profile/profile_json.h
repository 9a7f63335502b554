#ifndef LOCKSTEP_CLIENT_PROFILE_PROFILE_JSON_H_
#define LOCKSTEP_CLIENT_PROFILE_PROFILE_JSON_H_

#include <string>

#include "client/profile/launch_profile.h"

namespace lockstep::internal {

// One JSON object in Chrome's trace event format, which Perfetto and
// chrome://tracing open: a track for each device, and one for what runs beside
// its thunks, with a complete event for each execution of a thunk. Beside it,
// under the key "lockstep", what `lockstep run --profile` prints, in seconds,
// bytes and flops; times and counts are sums over the devices.
std::string ProfileJson(const LaunchProfile& profile,
                        const LaunchLimits& limits);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROFILE_PROFILE_JSON_H_
