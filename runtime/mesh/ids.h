#ifndef LOCKSTEP_RUNTIME_MESH_IDS_H_
#define LOCKSTEP_RUNTIME_MESH_IDS_H_

#include <cstdint>

#include "runtime/base/strong_int.h"

namespace lockstep {

// Assigned by the coordinator: 0 .. H-1.
using HostId = StrongInt<struct HostIdTag, int32_t>;
// A device of the cluster: host-major, dense, contiguous per host.
using GlobalDeviceId = StrongInt<struct GlobalDeviceIdTag, int32_t>;
// A device within one worker: 0 .. local devices - 1.
using LocalDeviceId = StrongInt<struct LocalDeviceIdTag, int32_t>;
// One life of a worker: random, never 0.
using Incarnation = StrongInt<struct IncarnationTag, uint64_t>;
// One membership of the cluster; grows when a host joins, leaves or dies.
using Epoch = StrongInt<struct EpochTag, int64_t>;
// The n-th call, and launch, of the hosts of one sequence, from 1.
using LaunchNumber = StrongInt<struct LaunchNumberTag, int64_t>;

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_IDS_H_
