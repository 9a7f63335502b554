#ifndef LOCKSTEP_RUNTIME_CLUSTER_AXIS_QUERY_H_
#define LOCKSTEP_RUNTIME_CLUSTER_AXIS_QUERY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/cluster/call.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// One host's call of a pmapped function whose axis has no global size yet
// (docs/behaviour/pmap.md, J-6, J-9, J-10). A value type.
struct AxisQuery {
  // The n-th query of a key on one host meets the n-th on the others. Of a
  // query that is part of a call: its MeetingKey.
  std::string key;
  std::string axis_name;
  int64_t axis_size = 0;  // leading size on this host
  std::optional<std::vector<GlobalDeviceId>> devices;
  LaunchKey call = {};
  // Since when the hosts of the call are together, as this host knows it: a
  // life that began later will not come. Zero: no call.
  Epoch epoch = {};
  CallDescription description = {};
  std::string function = {};  // for messages: "train_step"
};

struct AxisResolution {
  int64_t global_axis_size = 0;
  // The `devices` of the query, or the first global_axis_size devices of the
  // world (fewer, when there are fewer).
  std::vector<GlobalDeviceId> devices;
};
// All hosts of a call get the same one, which may name every device.
using SharedAxis = std::shared_ptr<const AxisResolution>;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_AXIS_QUERY_H_
