#ifndef LOCKSTEP_CLIENT_PARTITIONING_DEVICE_MEMORY_H_
#define LOCKSTEP_CLIENT_PARTITIONING_DEVICE_MEMORY_H_

#include "absl/status/status.h"
#include "runtime/mesh/named_sharding.h"

namespace lockstep::internal {

// UNIMPLEMENTED: the sharding of a value of a program is in memory of another
// kind than "device".
absl::Status CheckDeviceMemory(const NamedSharding& sharding);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PARTITIONING_DEVICE_MEMORY_H_
