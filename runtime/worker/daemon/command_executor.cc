#include "runtime/worker/daemon/command_executor.h"

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/convert_profile.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

ProgramSpec SpecOf(const LoadProgram& load) {
  ProgramSpec spec;
  spec.name = load.name.empty() ? "program" : load.name;
  spec.text = load.text;
  spec.assignment = load.assignment;
  spec.donated_arguments = load.donated_arguments;
  return spec;
}

// `assignment`: of the hosts that take part; none: all.
CallRequest RequestOf(const std::optional<DeviceAssignment>& assignment,
                      std::string text,
                      const CallRequest::CommandPlace& place) {
  CallRequest request;
  if (assignment.has_value()) {
    const auto devices = assignment->devices();
    request.devices.emplace(devices.begin(), devices.end());
  }
  // Hosts have one order of commands, and compare the programs.
  request.description = {0, std::move(text)};
  request.command = place;
  return request;
}

using Buffers = std::vector<std::shared_ptr<Buffer>>;

// As bytes, each on its device.
absl::StatusOr<Buffers> PlacedProfiles(
    const absl::StatusOr<std::vector<DeviceProfile>>& profiles,
    const std::vector<LocalDevice*>& devices) {
  RETURN_IF_ERROR(profiles.status());
  Buffers shards;
  for (size_t i = 0; i < devices.size(); ++i) {
    const DeviceProfile& profile = (*profiles)[i];
    const std::string bytes = ProfileBytes(profile);
    Literal value(
        Shape(ElementType::kU8, {static_cast<int64_t>(bytes.size())}));
    std::memcpy(value.mutable_view().bytes(), bytes.data(), bytes.size());
    ASSIGN_OR_RETURN(shards.emplace_back(),
                     PutLiteral(std::move(value), profile.device, *devices[i]));
  }
  return shards;
}

// Does not wait for anything.
bool IsShort(const Command& command) {
  return std::holds_alternative<LaunchProgram>(command.action) ||
         std::holds_alternative<DeleteArrays>(command.action) ||
         std::holds_alternative<JoinArrays>(command.action);
}

}  // namespace

CommandExecutor::CommandExecutor(Worker* worker, ArrayStore* arrays)
    : worker_(worker), arrays_(arrays), queue_("commands", 1) {}

void CommandExecutor::Enqueue(Command command) {
  // Handing a launch over takes longer than to put it on the devices' queues.
  if (IsShort(command) && queued_.load() == 0) return Execute(command);
  ++queued_;
  queue_.Schedule([this, command = std::move(command)] {
    Execute(command);
    --queued_;
  });
}

void CommandExecutor::Execute(const Command& command) {
  const Place place{command.sequence, command.epoch};
  std::visit([&](const auto& action) { Execute(action, place); },
             command.action);
}

void CommandExecutor::Execute(const LoadProgram& load, const Place& place) {
  LoadResult result = TryLoad(load, place);
  if (!result.ok()) {
    LogWarning(absl::StrCat("program ", load.program.number, " of client ",
                            load.program.client.value(), ": ",
                            StatusLine(result.status())));
  }
  programs_.insert_or_assign(load.program, std::move(result));
}

CommandExecutor::LoadResult CommandExecutor::TryLoad(const LoadProgram& load,
                                                     const Place& place) {
  ProgramSpec spec = SpecOf(load);
  ASSIGN_OR_RETURN(
      const auto call,
      worker_->BeginCall(RequestOf(
          spec.assignment, absl::StrCat("load of ", spec.name), place)));
  LoadResult program = worker_->Load(std::move(spec), *call);
  if (!program.ok()) worker_->FailCall(*call, program.status());
  return program;
}

void CommandExecutor::Execute(const LaunchProgram& launch, const Place& place) {
  absl::Status status = TryLaunch(launch, place);
  if (status.ok()) return;
  for (ArrayHandle result : launch.results) arrays_->PutError(result, status);
  if (launch.profile.has_value()) {
    arrays_->PutError(launch.profile->array, status);
  }
}

absl::Status CommandExecutor::TryLaunch(const LaunchProgram& launch,
                                        const Place& place) {
  auto loaded = programs_.find(launch.program);
  if (loaded == programs_.end()) {
    // Whoever knows the program waits for this host.
    const absl::Status unknown = absl::NotFoundError(
        absl::StrCat("program ", launch.program.number, " of client ",
                     launch.program.client.value(), " was never loaded"));
    const auto call =
        worker_->BeginCall(RequestOf(std::nullopt, "a launch", place));
    if (call.ok()) worker_->FailCall(**call, unknown);
    return unknown;
  }
  ASSIGN_OR_RETURN(std::shared_ptr<LoadedProgram> program, loaded->second);
  ASSIGN_OR_RETURN(const auto call,
                   worker_->BeginCall(RequestOf(
                       program->assignment(),
                       absl::StrCat("launch of ", program->name()), place)));
  const absl::Status status = LaunchInCall(launch, program, *call);
  if (!status.ok()) worker_->FailCall(*call, status);
  return status;
}

absl::Status CommandExecutor::LaunchInCall(
    const LaunchProgram& launch, const std::shared_ptr<LoadedProgram>& program,
    const CallTurn& call) {
  ASSIGN_OR_RETURN(const ShardLists arguments, FindArguments(*program, launch));
  ProfileRequest profile;
  if (launch.profile.has_value()) {
    profile = ProfileRequestOf(*launch.profile, *program);
  }
  ASSIGN_OR_RETURN(ShardLists results, worker_->Launch(program, arguments, call,
                                                       std::move(profile)));
  for (size_t i = 0; i < launch.results.size(); ++i) {
    std::vector<std::shared_ptr<Buffer>> shards;
    for (const auto& of_device : results) shards.push_back(of_device[i]);
    RETURN_IF_ERROR(arrays_->Put(launch.results[i], shards));
  }
  return absl::OkStatus();
}

ProfileRequest CommandExecutor::ProfileRequestOf(
    const LaunchProgram::Profile& profile, const LoadedProgram& program) const {
  std::vector<LocalDevice*> devices;  // live as long as what runs on them
  for (GlobalDeviceId device : program.local_devices()) {
    devices.push_back(worker_->local_device(device));
  }
  arrays_->Expect(profile.array);
  ProfileRequest request;
  request.most_events = profile.most_events;
  request.on_done = [arrays = arrays_, array = profile.array, devices](
                        absl::StatusOr<std::vector<DeviceProfile>> profiles) {
    arrays->PutExpected(array, PlacedProfiles(profiles, devices));
  };
  return request;
}

absl::StatusOr<ShardLists> CommandExecutor::FindArguments(
    const LoadedProgram& program, const LaunchProgram& launch) const {
  if (launch.results.size() != program.result_shapes().size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("program ", program.name(), ": expected handles for ",
                     program.result_shapes().size(), " results, found ",
                     launch.results.size()));
  }
  ShardLists arguments;
  for (GlobalDeviceId device : program.local_devices()) {
    auto& device_arguments = arguments.emplace_back();
    for (ArrayHandle argument : launch.arguments) {
      ASSIGN_OR_RETURN(std::shared_ptr<Buffer> shard,
                       arrays_->Find(argument, device));
      device_arguments.push_back(std::move(shard));
    }
  }
  return arguments;
}

void CommandExecutor::Execute(const DeleteArrays& deletion, const Place&) {
  for (ArrayHandle array : deletion.arrays) arrays_->Delete(array);
}

void CommandExecutor::Execute(const JoinArrays& join, const Place&) {
  absl::Status status = TryJoin(join);
  if (!status.ok()) arrays_->PutError(join.result, std::move(status));
}

absl::Status CommandExecutor::TryJoin(const JoinArrays& join) {
  std::vector<std::shared_ptr<Buffer>> shards;
  for (const JoinArrays::Part& part : join.parts) {
    for (GlobalDeviceId device : part.devices) {
      if (worker_->local_device(device) == nullptr) continue;
      const auto shard = arrays_->Find(part.array, device);
      if (!shard.ok()) return Annotate(shard.status(), "a shard to be shared");
      ASSIGN_OR_RETURN(shards.emplace_back(), (*shard)->Share());
    }
  }
  return shards.empty() ? absl::OkStatus() : arrays_->Put(join.result, shards);
}

void CommandExecutor::Execute(const CloseClient& close, const Place&) {
  const absl::Status gone = absl::CancelledError(
      absl::StrCat("client ", close.client.value(), " is gone"));
  absl::erase_if(programs_, [&](const auto& entry) {
    if (entry.first.client != close.client) return false;
    if (entry.second.ok()) worker_->Cancel(*entry.second, gone);
    return true;
  });
  arrays_->DeleteAll(close.client);
}

}  // namespace lockstep::internal
