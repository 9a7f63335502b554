#ifndef LOCKSTEP_RUNTIME_CLUSTER_COMMAND_H_
#define LOCKSTEP_RUNTIME_CLUSTER_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/base/strong_int.h"
#include "runtime/mesh/device_assignment.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// A connected client of the global view; assigned by the coordinator.
using ClientId = StrongInt<struct ClientIdTag, int64_t>;

// A global array or a program of a client. The client assigns the number.
struct ClientHandle {
  ClientId client;
  int64_t number = 0;
  friend auto operator<=>(const ClientHandle&, const ClientHandle&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const ClientHandle& handle) {
    return H::combine(std::move(h), handle.client, handle.number);
  }
};
using ArrayHandle = ClientHandle;
using ProgramHandle = ClientHandle;

// The owner of arrays that have names, which no client has.
inline constexpr ClientId kNoClient{};

// Makes a program known under a handle.
struct LoadProgram {
  ProgramHandle program;
  std::string text;  // StableHLO
  DeviceAssignment assignment;
  std::string name;  // for messages and status; "": none
  // Positions of arguments whose buffers the program may reuse.
  std::vector<int> donated_arguments;
};
// Runs a loaded program on arrays. The results exist, as futures, from the
// moment this is taken up; a failure makes them carry its status.
struct LaunchProgram {
  ProgramHandle program;
  std::vector<ArrayHandle> arguments;
  std::vector<ArrayHandle> results;
  // Times the launch. On each device of the program `array` is then the bytes
  // of what was found there (proto/convert_profile.h), as many as it takes.
  struct Profile {
    ArrayHandle array;
    int64_t most_events = 0;  // that are kept of each device
  };
  std::optional<Profile> profile = {};
};
// Ends the life of arrays; unknown ones are ignored.
struct DeleteArrays {
  std::vector<ArrayHandle> arrays;
};
// `result` has the shards of the parts, whose memory it shares: they live as
// long as one of the arrays does. Parts have no device in common.
struct JoinArrays {
  struct Part {
    ArrayHandle array;
    std::vector<GlobalDeviceId> devices;
  };
  std::vector<Part> parts;
  ArrayHandle result;
};
// The client is gone: ends the life of all its arrays and programs.
struct CloseClient {
  ClientId client;
};

// What the coordinator tells the workers of the global view to do. Every worker
// gets the commands that concern its devices in the one order of the cluster,
// and starts them in that order.
struct Command {
  int64_t sequence = 0;  // grows; the same on every host
  std::variant<LoadProgram, LaunchProgram, DeleteArrays, JoinArrays,
               CloseClient>
      action;
  // When the client submitted it: it concerns the lives of that time only.
  Epoch epoch = {};
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_COMMAND_H_
