#ifndef LOCKSTEP_PROTO_CONVERT_COMMANDS_H_
#define LOCKSTEP_PROTO_CONVERT_COMMANDS_H_

#include "absl/status/statusor.h"
#include "proto/lockstep/cluster.pb.h"
#include "runtime/cluster/command.h"

namespace lockstep::internal {

// As proto/convert.h, for what clients of the global view ask for.

proto::LaunchProgram ToProto(const LaunchProgram& launch);
LaunchProgram FromProto(const proto::LaunchProgram& message);

proto::Command ToProto(const Command& command);
absl::StatusOr<Command> FromProto(const proto::Command& message);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_CONVERT_COMMANDS_H_
