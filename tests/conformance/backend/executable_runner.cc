#include "tests/conformance/backend/executable_runner.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/executor/device_launch.h"

namespace lockstep {
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

std::vector<LaunchArgument> LaunchArguments(
    const Executable& executable, const std::vector<Literal>& values) {
  const std::set<int> aliased = AliasedArguments(executable);
  std::vector<LaunchArgument> arguments(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    arguments[i].value = values[i].view();
    if (!aliased.contains(static_cast<int>(i))) continue;
    arguments[i].donated = values[i];
    arguments[i].value = arguments[i].donated->view();
  }
  return arguments;
}

}  // namespace

absl::StatusOr<DeviceLiterals> RunExecutable(const Executable& executable,
                                             const DeviceLiterals& arguments) {
  const int devices = executable.replica_count() * executable.partition_count();
  std::vector<CliqueMember> members;
  std::vector<DeviceMemory> memories;
  for (int i = 0; i < devices; ++i) {
    members.push_back({GlobalDeviceId(i), HostId(0), Incarnation(1)});
    memories.emplace_back(GlobalDeviceId(i), 0);
  }
  std::vector<ProgressCell> cells(devices);
  LaunchGroup group({devices, nullptr, absl::ZeroDuration()});
  InProcessCliqueProvider provider;
  LaunchInfo info;
  info.program = executable.name();
  info.number = LaunchNumber(1);
  std::vector<absl::StatusOr<std::vector<Literal>>> results(
      devices, std::vector<Literal>());
  std::vector<std::thread> threads;
  for (int i = 0; i < devices; ++i) {
    threads.emplace_back([&, i] {
      DeviceLaunch launch;
      launch.executable = &executable;
      launch.info = &info;
      launch.flattened_id = i;
      launch.members = members;
      launch.clique_provider = &provider;
      launch.memory = &memories[i];
      launch.group = &group;
      launch.progress = &cells[i];
      results[i] =
          RunOnDevice(launch, LaunchArguments(executable, arguments[i]));
    });
  }
  for (std::thread& thread : threads) thread.join();
  DeviceLiterals literals;
  for (auto& result : results) {
    if (!result.ok()) return result.status();
    literals.push_back(*std::move(result));
  }
  return literals;
}

DeviceLiterals ArgumentsFor(const Executable& executable) {
  DeviceLiterals arguments;
  const int devices = executable.replica_count() * executable.partition_count();
  for (int device = 0; device < devices; ++device) {
    std::vector<Literal>& list = arguments.emplace_back();
    int next = device + 1;
    for (const Shape& shape : executable.argument_shapes()) {
      Literal& literal = list.emplace_back(shape);
      DispatchElementType(
          shape.element_type(), [&]<typename T>(std::type_identity<T>) {
            for (T& x : literal.mutable_data<T>()) {
              const float value = static_cast<float>(next % 7) - 2.5f;
              if constexpr (std::is_constructible_v<T, float>) {
                x = static_cast<T>(value);
              }
              next += 3;
            }
          });
    }
  }
  return arguments;
}

}  // namespace lockstep
