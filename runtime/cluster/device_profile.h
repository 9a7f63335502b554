#ifndef LOCKSTEP_RUNTIME_CLUSTER_DEVICE_PROFILE_H_
#define LOCKSTEP_RUNTIME_CLUSTER_DEVICE_PROFILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "runtime/mesh/ids.h"

namespace lockstep {

// One thunk of a compiled program, as its profiles show it.
struct ProfiledThunk {
  std::string kind;      // "stablehlo.dot_general", "while", "all_reduce"
  std::string ops;       // what a fusion is made of: "add, exponential"
  std::string location;  // of the op that it came from
  // The loop or conditional that it is nested in, a position among the
  // program's thunks; -1: none.
  int32_t parent = -1;
  // What one execution moves to and from memory and computes, as estimated from
  // the op. Loops and conditionals have none: those are their nested thunks',
  // and what a loop computes that is one function of its own is not known.
  int64_t bytes = 0;
  double flops = 0;
  // A collective that runs beside the other thunks, from its start to what
  // waits for it, which are thunks of their own.
  bool is_beside = false;
  // Of a collective: the flattened ids of the devices that meet.
  std::vector<std::vector<int32_t>> groups;
  friend bool operator==(const ProfiledThunk&, const ProfiledThunk&) = default;
};

// All executions of a thunk on one device in one launch.
struct ThunkTimes {
  int64_t count = 0;
  absl::Duration total;
  absl::Duration nested;  // of the total: in nested thunks
  absl::Duration median;  // of many: of every 2nd, 4th, ...
  absl::Duration longest;
  friend bool operator==(const ThunkTimes&, const ThunkTimes&) = default;
};

// One execution of a thunk.
struct ThunkEvent {
  int32_t thunk = 0;      // its position
  int64_t iteration = 0;  // how often its loop has run it before
  absl::Duration start;   // since the device began with the launch
  absl::Duration duration;
  friend bool operator==(const ThunkEvent&, const ThunkEvent&) = default;
};

// What one device did in one launch.
struct DeviceProfile {
  GlobalDeviceId device;
  // Where it is, as messages name it; known to who asks, does not travel.
  HostId host_id;
  std::string host;
  int32_t flattened_id = 0;  // its place in the program's assignment
  int32_t threads = 1;       // that a thunk may use
  absl::Time begin;          // by the clock of its host
  // From taking memory to the end of the last thunk; with waiting for
  // arguments that are being computed left out.
  absl::Duration duration;
  // In the order of the program, nested ones behind their owner; the same for
  // all devices of the launch.
  std::vector<ProfiledThunk> thunks;
  std::vector<ThunkTimes> times;  // by thunk
  // The first ones, by start: all that are nested in one another, then those
  // beside them.
  std::vector<ThunkEvent> events;
  int64_t events_left_out = 0;  // which are in `times` all the same
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_CLUSTER_DEVICE_PROFILE_H_
