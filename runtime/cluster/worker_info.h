#ifndef LOCKSTEP_RUNTIME_CLUSTER_WORKER_INFO_H_
#define LOCKSTEP_RUNTIME_CLUSTER_WORKER_INFO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/mesh/device_info.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// The version of the control plane's messages, and of which hosts send each
// other what. Hosts, clients and coordinator must agree.
inline constexpr int32_t kProtocolVersion = 6;

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
  // The fast network that the host is in; "": that of its machine. Set on all
  // hosts or none.
  std::string network_group;
  std::string cluster_id;  // "": any
  // host:port of the worker's own service for bulk data; "": none.
  std::string service_address;
  // Where the collectives' transport is reached; its own bytes.
  std::string transport_address;
  // NetworkId() of the worker; "": unknown.
  std::string network;
  // The transport listens on loopback: only hosts of the same network reach it.
  bool is_on_loopback = false;

  const std::string& NetworkGroup() const {
    return network_group.empty() ? machine : network_group;
  }
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_WORKER_INFO_H_
