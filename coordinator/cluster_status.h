#ifndef LOCKSTEP_COORDINATOR_CLUSTER_STATUS_H_
#define LOCKSTEP_COORDINATOR_CLUSTER_STATUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {

// What `lockstep status` shows of one host.
struct HostStatus {
  HostId id{-1};  // -1: waits for the others, has none yet
  std::string name;
  Incarnation incarnation;
  int64_t pid = 0;
  std::string address;
  std::string state;         // "joining", or a HostCondition
  std::string state_reason;  // why it is dead
  std::vector<GlobalDeviceId> devices;
  std::string program;  // of the latest launch
  int64_t launch = 0;   // 0: none
  std::string collective;
  absl::Duration since_report;
  std::string activity;
};

struct ClusterStatus {
  std::string cluster_id;
  Epoch epoch;
  bool is_formed = false;
  int32_t expected_hosts = 0;
  int32_t client_count = 0;
  // Who is missing, who waits for whom, the latest failures; a line each.
  std::vector<std::string> notices;
  std::vector<HostStatus> hosts;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_CLUSTER_STATUS_H_
