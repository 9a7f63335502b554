#ifndef LOCKSTEP_RUNTIME_CLUSTER_MACHINE_H_
#define LOCKSTEP_RUNTIME_CLUSTER_MACHINE_H_

#include <cstdint>
#include <string>

namespace lockstep::internal {

// Names the machine between two starts of it, and the space of process ids
// within it: two processes with the same id can see each other's pids. "" when
// the system does not tell.
std::string MachineId();

// Names the machine and the network stack in it: processes with the same id
// reach each other on loopback. "" when the system does not tell.
std::string NetworkId();

// Whether no process `pid` of this machine runs (a zombie does not).
bool ProcessHasEnded(int64_t pid);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_MACHINE_H_
