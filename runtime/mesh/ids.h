#ifndef LOCKSTEP_RUNTIME_MESH_IDS_H_
#define LOCKSTEP_RUNTIME_MESH_IDS_H_

#include <cstdint>

#include "runtime/base/strong_int.h"

namespace lockstep {

// Assigned by the coordinator: 0 .. H-1.
using HostId = internal::StrongInt<struct HostIdTag, int32_t>;
// A device of the cluster: host-major, dense, contiguous per host.
using GlobalDeviceId = internal::StrongInt<struct GlobalDeviceIdTag, int32_t>;
// A device within one worker: 0 .. local devices - 1.
using LocalDeviceId = internal::StrongInt<struct LocalDeviceIdTag, int32_t>;
// One life of a worker: random, never 0.
using Incarnation = internal::StrongInt<struct IncarnationTag, uint64_t>;
// One membership of the cluster; grows when a host joins, leaves or dies.
using Epoch = internal::StrongInt<struct EpochTag, int64_t>;
// The n-th call, and launch, of the hosts of one sequence, from 1.
using LaunchNumber = internal::StrongInt<struct LaunchNumberTag, int64_t>;

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_IDS_H_
