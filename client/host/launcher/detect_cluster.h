#ifndef LOCKSTEP_CLIENT_HOST_LAUNCHER_DETECT_CLUSTER_H_
#define LOCKSTEP_CLIENT_HOST_LAUNCHER_DETECT_CLUSTER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/host/launcher/detected_cluster.h"
#include "client/host/launcher/environment.h"

namespace lockstep::internal {

// "auto", "none", and the launchers, in the order in which they are looked for.
std::vector<std::string> DetectionMethods();

// Who started this process, and what the launcher says about its cluster (spec
// M-16). `method`: "auto", the first launcher whose variables are there;
// "none", a cluster of one; or the launcher that must be there. Pure.
//
// A launcher that says that there are several processes, and not all the rest,
// is in the result, with an address_error that names what is missing:
// FAILED_PRECONDITION.
//
// INVALID_ARGUMENT: an unknown method; one whose variables are missing, with
// their names; a variable that does not parse, with its value.
absl::StatusOr<DetectedCluster> DetectCluster(const Environment& environment,
                                              const std::string& method);

// For the log: which variables of launchers that are there do not count, and
// why, one line for each launcher. `cluster` is what DetectCluster says. Pure.
std::vector<std::string> IgnoredLaunchers(const Environment& environment,
                                          const std::string& method,
                                          const DetectedCluster& cluster);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_LAUNCHER_DETECT_CLUSTER_H_
