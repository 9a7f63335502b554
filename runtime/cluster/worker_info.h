#ifndef LOCKSTEP_RUNTIME_CLUSTER_WORKER_INFO_H_
#define LOCKSTEP_RUNTIME_CLUSTER_WORKER_INFO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/mesh/ids.h"

namespace lockstep {

// A local device, before it has a global id.
struct DeviceInfo {
  std::string kind;          // the model
  int64_t memory_bytes = 0;  // 0: unknown
  int32_t numa_node = -1;    // -1: unknown
  // Tells physical devices of one machine apart (a PCI address). "": a device
  // that may exist several times, such as a simulated one.
  std::string physical_id;
  friend bool operator==(const DeviceInfo&, const DeviceInfo&) = default;
};

// The version of the control plane's messages. Hosts and coordinator must
// agree.
inline constexpr int32_t kProtocolVersion = 1;

// What a worker says of itself when it joins (spec M-17). A value type.
struct WorkerInfo {
  std::string name;         // unique in the cluster: "gpu03"
  Incarnation incarnation;  // random, not 0
  int64_t pid = 0;
  std::string machine;  // boot id: workers of one machine share it
  std::string build;    // "0.1.0"; equal on all hosts
  int32_t protocol = kProtocolVersion;
  std::string platform;             // "cpu"; equal on all hosts
  std::vector<DeviceInfo> devices;  // in local order
  std::optional<int32_t> requested_rank;
  std::optional<int32_t> expected_hosts;  // the launcher's count
  std::string network_group;              // "": unset; set on all hosts or none
  std::string cluster_id;                 // "": any
  // host:port of the worker's own service for bulk data; "": none.
  std::string service_address;
  // Where the collectives' transport is reached; its own bytes.
  std::string transport_address;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_CLUSTER_WORKER_INFO_H_
