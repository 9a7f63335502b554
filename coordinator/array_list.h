#ifndef LOCKSTEP_COORDINATOR_ARRAY_LIST_H_
#define LOCKSTEP_COORDINATOR_ARRAY_LIST_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cluster/array_description.h"
#include "runtime/cluster/command.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {

// What the coordinator knows of arrays, for operators: who asks the hosts hears
// what each of them has. A value type.
struct ArrayList {
  struct Host {
    HostRef host;
    std::string service_address;  // "": serves no clients
  };
  // The number of the array on the hosts, under kNoClient.
  std::vector<std::pair<int64_t, NamedArray>> names;
  std::vector<std::pair<ClientId, std::string>> clients;
  std::vector<Host> hosts;  // that are alive
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_ARRAY_LIST_H_
