#ifndef LOCKSTEP_RUNTIME_WORKER_LOCAL_DEVICES_H_
#define LOCKSTEP_RUNTIME_WORKER_LOCAL_DEVICES_H_

#include <vector>

#include "runtime/cluster/worker_info.h"

namespace lockstep {

// `count` CPU devices, each with the memory of the whole machine.
std::vector<DeviceInfo> CpuDevices(int count);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_WORKER_LOCAL_DEVICES_H_
