#ifndef LOCKSTEP_CLIENT_HOST_RESOLVED_OPTIONS_H_
#define LOCKSTEP_CLIENT_HOST_RESOLVED_OPTIONS_H_

#include <functional>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/host/initialize.h"
#include "runtime/collectives/reduction_mode.h"

namespace lockstep::internal {

// The value of an environment variable; none when it is not set.
using Environment =
    std::function<std::optional<std::string>(const std::string& name)>;

enum class StartCoordinator { kNever, kAuto, kAlways };

// InitializeOptions with all sources taken together.
struct ResolvedOptions {
  std::string coordinator_address;  // "": a cluster of one
  std::string coordinator_bind_address;
  StartCoordinator start_coordinator = StartCoordinator::kAuto;
  std::optional<int> expected_hosts;
  std::optional<int> requested_rank;
  std::string host_name;
  int local_device_count = 1;
  std::vector<int> local_devices;  // ordinals; empty: all
  std::string interface;           // "": the one that leads to the coordinator
  std::string network_group;
  std::string backend;   // "": the default
  std::string platform;  // "": the backend's
  ReductionMode reduction_mode = ReductionMode::kFast;
  std::string cache_directory;
  // "": not given; the folder of `lockstep up --secure` may be found later.
  std::string security_directory;
  std::string join_token;
  bool allow_insecure = false;
  absl::Duration join_deadline = absl::Seconds(300);
};

// Argument, then variable, then default. Pure. The errors of Initialize that
// need no cluster.
absl::StatusOr<ResolvedOptions> ResolveOptions(const InitializeOptions& options,
                                               const Environment& environment,
                                               const std::string& machine_name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_RESOLVED_OPTIONS_H_
