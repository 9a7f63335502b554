#ifndef LOCKSTEP_CLIENT_BENCH_LAUNCH_LIMITS_H_
#define LOCKSTEP_CLIENT_BENCH_LAUNCH_LIMITS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "client/client.h"

namespace lockstep::internal {

// What a device reaches in programs of its backend: the best of several
// launches, and of `devices`, all of which do the same. Takes about a second.
// Errors are those of Client::Profile.
absl::StatusOr<LaunchLimits> MeasureLaunchLimits(
    const Client& client, const std::vector<GlobalDeviceId>& devices);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_BENCH_LAUNCH_LIMITS_H_
