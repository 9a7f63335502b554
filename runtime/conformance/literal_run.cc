#include "runtime/conformance/literal_run.h"

#include <memory>
#include <set>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/executor/device_launch.h"

namespace lockstep::internal {
namespace {

std::set<int> AliasedArguments(const Executable& executable) {
  std::set<int> aliased;
  for (size_t i = 0; i < executable.result_shapes().size(); ++i) {
    if (auto argument = executable.AliasedArgument(static_cast<int>(i))) {
      aliased.insert(*argument);
    }
  }
  return aliased;
}

absl::StatusOr<std::vector<LaunchArgument>> PutArguments(
    const Executable& executable, LocalDevice& device,
    const std::vector<Literal>& values) {
  const std::set<int> aliased = AliasedArguments(executable);
  std::vector<LaunchArgument> arguments;
  for (size_t i = 0; i < values.size(); ++i) {
    LaunchArgument& argument = arguments.emplace_back();
    argument.is_donated = aliased.contains(static_cast<int>(i));
    // The caller keeps the values.
    ASSIGN_OR_RETURN(argument.value,
                     PutOnDevice(device, values[i].bytes(),
                                 values[i].shape().byte_size(), nullptr));
  }
  return arguments;
}

// The devices of one launch.
class LiteralRun {
 public:
  LiteralRun(const Platform& platform, CliqueProvider& provider,
             absl::Span<const Executable* const> executables)
      : platform_(platform),
        provider_(provider),
        executables_(executables),
        cells_(executables.size()),
        group_({static_cast<int>(executables.size()), nullptr,
                absl::ZeroDuration()}) {
    for (size_t i = 0; i < executables.size(); ++i) {
      members_.push_back(
          {GlobalDeviceId(static_cast<int32_t>(i)), HostId(0), Incarnation(1)});
    }
    info_.program = executables[0]->name();
    info_.number = LaunchNumber(1);
  }

  absl::StatusOr<std::vector<Literal>> RunDevice(
      size_t i, const std::vector<Literal>& values) {
    const Executable& executable = *executables_[i];
    LocalDevice& device = *platform_.devices()[i];
    LaunchArena arena(members_[i].device, device);
    ASSIGN_OR_RETURN(const auto constants,
                     DeviceConstants::Load(executable, device));
    ASSIGN_OR_RETURN(std::vector<LaunchArgument> arguments,
                     PutArguments(executable, device, values));
    DeviceLaunch launch;
    launch.executable = &executable;
    launch.info = &info_;
    launch.flattened_id = static_cast<int32_t>(i);
    launch.members = members_;
    launch.clique_provider = &provider_;
    launch.constants = constants.get();
    launch.arena = &arena;
    launch.group = &group_;
    launch.progress = &cells_[i];
    ASSIGN_OR_RETURN(const LaunchResults results,
                     RunOnDevice(launch, std::move(arguments)));
    if (results.done != nullptr) RETURN_IF_ERROR(results.done->Await());
    std::vector<Literal> literals;
    for (size_t r = 0; r < results.memory.size(); ++r) {
      ASSIGN_OR_RETURN(Literal value,
                       Literal::Allocate(executable.result_shapes()[r]));
      RETURN_IF_ERROR(
          FetchFromDevice(*results.memory[r], value.mutable_bytes()));
      literals.push_back(std::move(value));
    }
    return literals;
  }

  // Ends what waits for a device that could not begin.
  void Fail(const absl::Status& cause) { group_.Fail(cause); }

 private:
  const Platform& platform_;
  CliqueProvider& provider_;
  const absl::Span<const Executable* const> executables_;
  std::vector<ProgressCell> cells_;
  LaunchGroup group_;
  std::vector<CliqueMember> members_;
  LaunchInfo info_;
};

}  // namespace

absl::StatusOr<DeviceLiterals> RunOnLiterals(
    const Platform& platform, CliqueProvider& provider,
    absl::Span<const Executable* const> executables,
    const DeviceLiterals& arguments) {
  if (executables.size() > platform.devices().size()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the program is for ", executables.size(), " devices, the platform ",
        platform.name(), " has ", platform.devices().size()));
  }
  LiteralRun run(platform, provider, executables);
  std::vector<absl::StatusOr<std::vector<Literal>>> runs(
      executables.size(), absl::UnknownError("not finished"));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < executables.size(); ++i) {
    threads.emplace_back([&, i] {
      runs[i] = run.RunDevice(i, arguments[i]);
      if (!runs[i].ok()) run.Fail(runs[i].status());
    });
  }
  for (std::thread& thread : threads) thread.join();
  DeviceLiterals results;
  for (auto& result : runs) {
    RETURN_IF_ERROR(result.status());
    results.push_back(*std::move(result));
  }
  return results;
}

}  // namespace lockstep::internal
