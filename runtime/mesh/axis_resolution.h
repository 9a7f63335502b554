#ifndef LOCKSTEP_RUNTIME_MESH_AXIS_RESOLUTION_H_
#define LOCKSTEP_RUNTIME_MESH_AXIS_RESOLUTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/pmap_rules.h"
#include "runtime/mesh/world_index.h"

namespace lockstep::internal {

// What one host says about its call of a pmapped function.
struct AxisReport {
  HostId host;
  std::string host_name;
  int64_t axis_size = 0;  // leading size on this host
  // None: not known before the function is traced. J-8, which constants are
  // excused from (J-5), is then left to whoever traces.
  std::optional<int32_t> body_replicas = 1;
  PmapDevices devices;
};

struct ResolvedAxis {
  int64_t global_axis_size = 0;
  int64_t num_replicas = 0;  // global_axis_size * body_replicas
  // Replica -> device; fewer than replicas when J-8 is left to others and there
  // are fewer devices.
  std::vector<GlobalDeviceId> assignment;
};

// The outcome, common to all participating hosts, of one call of pmap: the
// rules J-6, J-7, J-8, J-9 and J-10 over the reports of all of them. When a
// check fails on one host the call fails on every host with that error, which
// names the host as "host 3 (gpu03)". FAILED_PRECONDITION when hosts disagree
// on the devices or on the replicas of the body: names the values and who gave
// them.
//
// `reports` has one report per host of ParticipatingHosts, in any order.
absl::StatusOr<ResolvedAxis> ResolveAxis(absl::Span<const AxisReport> reports,
                                         const WorldIndex& world);

// What of it `report` decides beside that of another host: ResolveAxis fails
// exactly if this does for some report beside the first.
absl::Status CheckReport(const AxisReport& report, const AxisReport& first,
                         const WorldIndex& world);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_AXIS_RESOLUTION_H_
