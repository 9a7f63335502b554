#include "runtime/worker/daemon/command_executor.h"

#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

absl::StatusOr<std::vector<int>> ParsePositions(absl::string_view text) {
  std::vector<int> positions;
  for (absl::string_view piece : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    int position = 0;
    if (!absl::SimpleAtoi(piece, &position) || position < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "option ", kDonatedArgumentsOption,
          ": expected positions such as \"0,2\", found \"", text, "\""));
    }
    positions.push_back(position);
  }
  return positions;
}

absl::StatusOr<ProgramSpec> SpecOf(const LoadProgram& load) {
  ProgramSpec spec;
  spec.text = load.text;
  spec.assignment = load.assignment;
  auto name = load.options.find(kProgramNameOption);
  spec.name = name == load.options.end() ? "program" : name->second;
  auto donated = load.options.find(kDonatedArgumentsOption);
  if (donated != load.options.end()) {
    ASSIGN_OR_RETURN(spec.donated_arguments, ParsePositions(donated->second));
  }
  return spec;
}

}  // namespace

CommandExecutor::CommandExecutor(Worker* worker, ArrayStore* arrays)
    : worker_(worker), arrays_(arrays), queue_("commands", 1) {}

void CommandExecutor::Enqueue(Command command) {
  queue_.Schedule([this, command = std::move(command)] {
    std::visit([this](const auto& action) { Execute(action); }, command.action);
  });
}

void CommandExecutor::Execute(const LoadProgram& load) {
  absl::StatusOr<ProgramSpec> spec = SpecOf(load);
  LoadResult result =
      spec.ok() ? worker_->Load(*std::move(spec)) : LoadResult(spec.status());
  if (!result.ok()) {
    LogWarning(absl::StrCat("program ", load.program.number, " of client ",
                            load.program.client.value(), ": ",
                            StatusLine(result.status())));
  }
  programs_.insert_or_assign(load.program, std::move(result));
}

void CommandExecutor::Execute(const LaunchProgram& launch) {
  absl::Status status = TryLaunch(launch);
  if (status.ok()) return;
  for (ArrayHandle result : launch.results) arrays_->PutError(result, status);
}

absl::Status CommandExecutor::TryLaunch(const LaunchProgram& launch) {
  auto loaded = programs_.find(launch.program);
  if (loaded == programs_.end()) {
    return absl::NotFoundError(
        absl::StrCat("program ", launch.program.number, " of client ",
                     launch.program.client.value(), " was never loaded"));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<LoadedProgram> program, loaded->second);
  absl::StatusOr<ShardLists> arguments = FindArguments(*program, launch);
  if (!arguments.ok()) {
    worker_->FailLaunch(program, arguments.status());
    return arguments.status();
  }
  ASSIGN_OR_RETURN(ShardLists results, worker_->Launch(program, *arguments));
  for (const auto& device_results : results) {
    for (size_t i = 0; i < device_results.size(); ++i) {
      RETURN_IF_ERROR(arrays_->Put(launch.results[i], device_results[i]));
    }
  }
  return absl::OkStatus();
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

void CommandExecutor::Execute(const DeleteArrays& deletion) {
  for (ArrayHandle array : deletion.arrays) arrays_->Delete(array);
}

void CommandExecutor::Execute(const CloseClient& close) {
  const absl::Status gone = absl::CancelledError(
      absl::StrCat("client ", close.client.value(), " is gone"));
  absl::erase_if(programs_, [&](const auto& entry) {
    if (entry.first.client != close.client) return false;
    if (entry.second.ok()) worker_->Cancel(*entry.second, gone);
    return true;
  });
  arrays_->DeleteAll(close.client);
}

}  // namespace lockstep
