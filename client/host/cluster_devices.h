#ifndef LOCKSTEP_CLIENT_HOST_CLUSTER_DEVICES_H_
#define LOCKSTEP_CLIENT_HOST_CLUSTER_DEVICES_H_

#include <string>

#include "absl/status/statusor.h"
#include "client/process/local_cluster.h"

namespace lockstep::internal {

// Fills in what the workers of a cluster on this machine run on, where
// `options` and LOCKSTEP_PLATFORM, LOCKSTEP_BACKEND do not say: GPUs, each one
// worker's own, where there are enough of them for all, else processors. What
// people should know: that there are GPUs, but too few; or "". Errors as of
// ChooseDevices and ShareDevices.
absl::StatusOr<std::string> ChooseClusterDevices(
    LocalCluster::Options& options);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_CLUSTER_DEVICES_H_
