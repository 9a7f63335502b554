#ifndef LOCKSTEP_RUNTIME_WORKER_MACHINE_DEVICES_H_
#define LOCKSTEP_RUNTIME_WORKER_MACHINE_DEVICES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace lockstep::internal {

// What a worker's devices are, and what compiles for them.
struct DeviceChoice {
  std::string platform;  // "cuda"
  std::string backend;
};

// `platform` and `backend` as they are asked for, "" for what suits. One of
// them decides the other; where neither is given it is GPUs, when a driver and
// NVRTC are found and there are `devices` of them, else CPUs. NOT_FOUND: no
// such backend, with those that there are.
absl::StatusOr<DeviceChoice> ChooseDevices(const std::string& platform,
                                           const std::string& backend,
                                           int devices);

// Which devices each of `workers` workers of this machine takes, as the
// platform counts them: each its own. With LOCKSTEP_CUDA_SHARED=1 several
// workers take the same where there are too few. Empty: the platform makes up
// as many as it is asked for. FAILED_PRECONDITION: too few of them, with how
// many there are. UNIMPLEMENTED: no driver.
absl::StatusOr<std::vector<std::vector<int>>> ShareDevices(
    const std::string& platform, int workers, int devices_per_worker);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_MACHINE_DEVICES_H_
