#ifndef LOCKSTEP_CLIENT_BENCH_LAUNCH_LIMITS_H_
#define LOCKSTEP_CLIENT_BENCH_LAUNCH_LIMITS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "client/client.h"

namespace lockstep::internal {

// What one of `devices` reaches while all of them do the same, in programs of
// their backend: the best of several launches. Takes about a second. Errors are
// those of Client::Profile.
absl::StatusOr<LaunchLimits> MeasureLaunchLimits(
    const Client& client, const std::vector<GlobalDeviceId>& devices);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_BENCH_LAUNCH_LIMITS_H_
