#ifndef LOCKSTEP_CLIENT_CLI_STATUS_REPORT_H_
#define LOCKSTEP_CLIENT_CLI_STATUS_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::internal {

// What a coordinator says of its cluster, as `lockstep status` prints it. A
// value type.
struct StatusReport {
  struct Host {
    int host_id = -1;  // -1: has none yet
    std::string name;
    int64_t pid = 0;
    std::string address;
    std::string incarnation;  // 16 hexadecimal digits
    std::string state;
    std::string state_reason;
    std::vector<int> devices;
    std::string program;
    int64_t launch = 0;  // 0: none
    std::string collective;
    double last_progress_s = 0;
    std::string activity;
  };
  std::string address;
  std::string cluster_id;
  int64_t epoch = 0;
  int64_t pid = 0;
  bool is_formed = false;
  int expected_hosts = 0;
  int clients = 0;
  std::vector<std::string> notices;
  std::vector<Host> hosts;
};

// One JSON object of several lines. Of each host: host_id, name, pid, address,
// incarnation, state, state_reason, devices, program, launch, collective,
// last_progress_s, activity; null for what it has not.
std::string StatusJson(const StatusReport& report);

// A table for people, and the notices, a line each.
std::string StatusTable(const StatusReport& report);

// "0-3,6" for {0, 1, 2, 3, 6}.
std::string IdRanges(const std::vector<int>& ids);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_STATUS_REPORT_H_
