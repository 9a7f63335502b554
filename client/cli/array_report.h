#ifndef LOCKSTEP_CLIENT_CLI_ARRAY_REPORT_H_
#define LOCKSTEP_CLIENT_CLI_ARRAY_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::internal {

// Which arrays the hosts of a cluster have, as `lockstep arrays` prints it. A
// value type.
struct ArrayReport {
  struct HeldArray {
    std::string name;    // "": it has none
    std::string client;  // whose it is, or who gave it the name
    std::string shape;   // "float32[8,2]"; "": known to its client alone
    std::string layout;  // "PartitionSpec('x',) over ('x': 4)"; "" likewise
    std::string shard;   // the shape of one; "": no host has one
    std::vector<int> devices;
    std::string state;  // "ready", "pending", "failed", "lost"
    std::string error;  // why it has failed or is lost
    int64_t bytes = 0;  // of all shards
  };
  struct Host {
    int host_id = 0;
    std::string name;
    int64_t arrays = 0;  // with a shard here
    // Of memory that several arrays share, once.
    int64_t array_bytes = 0;
    std::vector<int> devices;
    int64_t bytes_in_use = 0;  // of the devices, by arrays and all else
    std::string note;          // why it is not known what it has
  };
  std::string address;  // of the coordinator
  std::vector<HeldArray> arrays;
  std::vector<Host> hosts;
};

// One JSON object of several lines; null for what is not known.
std::string ArrayJson(const ArrayReport& report);

// Two tables for people, and a line for each error.
std::string ArrayTable(const ArrayReport& report);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_ARRAY_REPORT_H_
