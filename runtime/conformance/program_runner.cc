#include "runtime/conformance/program_runner.h"

#include <thread>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/base/status.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/executor/device_launch.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/passes/pipelines.h"

namespace lockstep {
namespace {

using ResultLists = std::vector<std::vector<Literal>>;

// Whoever runs a suite has a limit of its own for each case.
constexpr absl::Duration kNoTimeout = absl::Hours(24);

class InterpreterRunner : public ProgramRunner {
 public:
  absl::StatusOr<ResultLists> Run(
      const std::shared_ptr<const Module>& module, const ProcessGrid& grid,
      std::vector<std::vector<Literal>> arguments) override {
    return EvaluatePrograms(
        *module, DeviceAssignment::Iota(grid.replicas, grid.partitions),
        grid.programs, std::move(arguments), {.timeout = kNoTimeout});
  }
};

// The devices of one launch, all in this process.
class LocalLaunch {
 public:
  explicit LocalLaunch(int devices)
      : cells_(devices), group_({devices, nullptr, absl::ZeroDuration()}) {
    for (int i = 0; i < devices; ++i) {
      members_.push_back({GlobalDeviceId(i), HostId(0), Incarnation(1)});
      memories_.emplace_back(GlobalDeviceId(i), 0);
    }
    info_.program = "case";
    info_.number = LaunchNumber(1);
  }

  absl::StatusOr<std::vector<Literal>> RunDevice(
      int i, const Executable& executable, const std::vector<Literal>& values) {
    std::vector<LaunchArgument> arguments(values.size());
    for (size_t j = 0; j < values.size(); ++j) {
      arguments[j].value = values[j].view();
    }
    DeviceLaunch launch;
    launch.executable = &executable;
    launch.info = &info_;
    launch.flattened_id = i;
    launch.members = members_;
    launch.clique_provider = &provider_;
    launch.memory = &memories_[i];
    launch.group = &group_;
    launch.progress = &cells_[i];
    return RunOnDevice(launch, std::move(arguments));
  }

 private:
  std::vector<CliqueMember> members_;
  std::vector<DeviceMemory> memories_;
  std::vector<ProgressCell> cells_;
  LaunchGroup group_;
  InProcessCliqueProvider provider_;
  LaunchInfo info_;
};

class BackendRunner : public ProgramRunner {
 public:
  explicit BackendRunner(Backend& backend) : backend_(backend) {}

  absl::StatusOr<ResultLists> Run(
      const std::shared_ptr<const Module>& module, const ProcessGrid& grid,
      std::vector<std::vector<Literal>> arguments) override {
    absl::flat_hash_map<const Function*, std::shared_ptr<const Executable>>
        compiled;
    for (const Function* program : grid.programs) {
      auto& executable = compiled[program];
      if (executable != nullptr) continue;
      ASSIGN_OR_RETURN(executable, Compile(*module, grid, *program));
    }
    const int devices = static_cast<int>(grid.programs.size());
    LocalLaunch launch(devices);
    std::vector<absl::StatusOr<std::vector<Literal>>> runs(
        devices, absl::UnknownError("not finished"));
    std::vector<std::thread> threads;
    for (int i = 0; i < devices; ++i) {
      threads.emplace_back([&, i] {
        runs[i] =
            launch.RunDevice(i, *compiled.at(grid.programs[i]), arguments[i]);
      });
    }
    for (std::thread& thread : threads) thread.join();
    ResultLists results;
    for (auto& run : runs) {
      RETURN_IF_ERROR(run.status());
      results.push_back(*std::move(run));
    }
    return results;
  }

 private:
  absl::StatusOr<std::shared_ptr<const Executable>> Compile(
      const Module& module, const ProcessGrid& grid, const Function& program) {
    // A copy, for the passes to change.
    ASSIGN_OR_RETURN(
        std::unique_ptr<Module> copy,
        ExtractProgram(module, program, grid.replicas, grid.partitions));
    if (backend_.compiles_fusions()) {
      PassManager passes;
      AddOptimizationPasses(passes, {.can_fuse = [this](const Op& op) {
                              return backend_.CanFuse(op);
                            }});
      RETURN_IF_ERROR(passes.Run(*copy));
    }
    return backend_.Compile(
        std::move(copy), DeviceAssignment::Iota(grid.replicas, grid.partitions),
        {});
  }

  Backend& backend_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ProgramRunner>> MakeProgramRunner(
    absl::string_view backend) {
  if (backend == "interpreter") return std::make_unique<InterpreterRunner>();
  if (backend == "interpreter-thunks") backend = "interpreter";
  ASSIGN_OR_RETURN(Backend * found, FindBackend(backend));
  return std::make_unique<BackendRunner>(*found);
}

}  // namespace lockstep
