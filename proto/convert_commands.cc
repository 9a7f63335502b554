#include "proto/convert_commands.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "proto/id_runs.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
// Static rather than in an unnamed namespace, which would hide the overloads of
// the headers.
template <typename Handles, typename Repeated>
static void AppendHandles(const Handles& handles, Repeated* repeated) {
  for (const ClientHandle& handle : handles) {
    *repeated->Add() = ToProto(handle);
  }
}

template <typename Repeated>
static std::vector<ClientHandle> HandlesOf(const Repeated& repeated) {
  std::vector<ClientHandle> handles;
  handles.reserve(repeated.size());
  for (const auto& message : repeated) handles.push_back(FromProto(message));
  return handles;
}

static proto::JoinArrays ToProto(const JoinArrays& join) {
  proto::JoinArrays message;
  for (const JoinArrays::Part& part : join.parts) {
    proto::JoinArrays::Part* next = message.add_parts();
    *next->mutable_array() = ToProto(part.array);
    AppendDevices(part.devices, next->mutable_devices());
  }
  *message.mutable_result() = ToProto(join.result);
  return message;
}

static absl::StatusOr<JoinArrays> FromProto(const proto::JoinArrays& message) {
  // A part of a few bytes may say millions of devices.
  constexpr size_t kMostDevices = size_t{1} << 24;
  JoinArrays join;
  size_t devices = 0;
  for (const proto::JoinArrays::Part& part : message.parts()) {
    join.parts.push_back({FromProto(part.array()), DevicesOf(part.devices())});
    devices += join.parts.back().devices.size();
    if (devices > kMostDevices) {
      return absl::InvalidArgumentError(
          absl::StrCat("array of shards: expected at most ", kMostDevices,
                       " devices, found more"));
    }
  }
  join.result = FromProto(message.result());
  return join;
}

static proto::LoadProgram ToProto(const LoadProgram& load) {
  proto::LoadProgram message;
  *message.mutable_program() = ToProto(load.program);
  message.set_text(load.text);
  message.set_name(load.name);
  for (int position : load.donated_arguments) {
    message.add_donated_arguments(position);
  }
  *message.mutable_assignment() = ToProto(load.assignment);
  return message;
}

static absl::StatusOr<LoadProgram> FromProto(
    const proto::LoadProgram& message) {
  LoadProgram load;
  load.program = FromProto(message.program());
  load.text = message.text();
  load.name = message.name();
  load.donated_arguments.assign(message.donated_arguments().begin(),
                                message.donated_arguments().end());
  ASSIGN_OR_RETURN(load.assignment, FromProto(message.assignment()));
  return load;
}

proto::LaunchProgram ToProto(const LaunchProgram& launch) {
  proto::LaunchProgram message;
  *message.mutable_program() = ToProto(launch.program);
  AppendHandles(launch.arguments, message.mutable_arguments());
  AppendHandles(launch.results, message.mutable_results());
  if (launch.profile.has_value()) {
    *message.mutable_profile()->mutable_array() =
        ToProto(launch.profile->array);
    message.mutable_profile()->set_most_events(launch.profile->most_events);
  }
  return message;
}

LaunchProgram FromProto(const proto::LaunchProgram& message) {
  LaunchProgram launch;
  launch.program = FromProto(message.program());
  launch.arguments = HandlesOf(message.arguments());
  launch.results = HandlesOf(message.results());
  if (message.has_profile()) {
    LaunchProgram::Profile profile;
    profile.array = FromProto(message.profile().array());
    profile.most_events = message.profile().most_events();
    launch.profile = profile;
  }
  return launch;
}

proto::Command ToProto(const Command& command) {
  struct ToAction {
    proto::Command& message;
    void operator()(const LoadProgram& load) {
      *message.mutable_load_program() = ToProto(load);
    }
    void operator()(const LaunchProgram& launch) {
      *message.mutable_launch_program() = ToProto(launch);
    }
    void operator()(const DeleteArrays& deletion) {
      AppendHandles(deletion.arrays,
                    message.mutable_delete_arrays()->mutable_arrays());
    }
    void operator()(const JoinArrays& join) {
      *message.mutable_join_arrays() = ToProto(join);
    }
    void operator()(const CloseClient& close) {
      message.mutable_close_client()->set_client(close.client.value());
    }
  };
  proto::Command message;
  message.set_sequence(command.sequence);
  message.set_epoch(command.epoch.value());
  std::visit(ToAction{message}, command.action);
  return message;
}

absl::StatusOr<Command> FromProto(const proto::Command& message) {
  Command command;
  command.sequence = message.sequence();
  command.epoch = Epoch(message.epoch());
  switch (message.action_case()) {
    case proto::Command::kLoadProgram: {
      ASSIGN_OR_RETURN(command.action, FromProto(message.load_program()));
      return command;
    }
    case proto::Command::kLaunchProgram:
      command.action = FromProto(message.launch_program());
      return command;
    case proto::Command::kDeleteArrays:
      command.action =
          DeleteArrays{HandlesOf(message.delete_arrays().arrays())};
      return command;
    case proto::Command::kJoinArrays: {
      ASSIGN_OR_RETURN(command.action, FromProto(message.join_arrays()));
      return command;
    }
    case proto::Command::kCloseClient:
      command.action = CloseClient{ClientId(message.close_client().client())};
      return command;
    case proto::Command::ACTION_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "command ", message.sequence(), ": expected an action, found none"));
}

}  // namespace lockstep::internal
