#ifndef LOCKSTEP_CLIENT_CLI_PROFILE_REPORT_H_
#define LOCKSTEP_CLIENT_CLI_PROFILE_REPORT_H_

#include <string>

#include "client/profile/launch_profile.h"

namespace lockstep::internal {

// What `lockstep run --profile` prints: the launch, its kinds of thunks, and
// the thunks that take most of it. Times and counts are of one device, the mean
// of all.
std::string ProfileReport(const LaunchProfile& profile,
                          const LaunchLimits& limits);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_PROFILE_REPORT_H_
