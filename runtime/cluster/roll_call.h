#ifndef LOCKSTEP_RUNTIME_CLUSTER_ROLL_CALL_H_
#define LOCKSTEP_RUNTIME_CLUSTER_ROLL_CALL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/cluster/host_ref.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// Which of these hosts are alive? Asked by all that are (spec M-27).
struct RollCall {
  std::string name;           // calls of one name meet each other
  std::vector<HostId> hosts;  // none: all hosts
};

// The answer, the same for everybody who asked.
struct RollCallAnswer {
  int64_t number = 0;          // of the cluster's answers, from 1
  Epoch epoch;                 // in which it held
  std::vector<HostRef> hosts;  // those alive, ascending
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_ROLL_CALL_H_
