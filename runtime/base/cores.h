#ifndef LOCKSTEP_RUNTIME_BASE_CORES_H_
#define LOCKSTEP_RUNTIME_BASE_CORES_H_

namespace lockstep::internal {

// How many cores threads of this process may run on, at the first call: those
// of the machine that its affinity mask has (taskset, cgroups, job managers).
// At least 1. Thread-safe.
int CoresOfProcess();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_CORES_H_
