#include "runtime/conformance/program_runner.h"

#include <numeric>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/backends/backend_optimizations.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/base/status.h"
#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/conformance/literal_run.h"
#include "runtime/devices/platform.h"
#include "runtime/interpreter/interpreter.h"

namespace lockstep::internal {
namespace {

// Whoever runs a suite has a limit of its own for each case.
constexpr absl::Duration kNoTimeout = absl::Hours(24);

class InterpreterRunner : public ProgramRunner {
 public:
  absl::StatusOr<DeviceLiterals> Run(
      const std::shared_ptr<const Module>& module, const ProcessGrid& grid,
      std::vector<std::vector<Literal>> arguments) override {
    return EvaluatePrograms(
        *module, DeviceAssignment::Iota(grid.replicas, grid.partitions),
        grid.programs, std::move(arguments), {.timeout = kNoTimeout});
  }
};

class BackendRunner : public ProgramRunner {
 public:
  explicit BackendRunner(Backend& backend) : backend_(backend) {}

  absl::StatusOr<DeviceLiterals> Run(
      const std::shared_ptr<const Module>& module, const ProcessGrid& grid,
      std::vector<std::vector<Literal>> arguments) override {
    absl::flat_hash_map<const Function*, std::shared_ptr<const Executable>>
        compiled;
    for (const Function* program : grid.programs) {
      auto& executable = compiled[program];
      if (executable != nullptr) continue;
      ASSIGN_OR_RETURN(executable, Compile(*module, grid, *program));
    }
    std::vector<const Executable*> executables;
    for (const Function* program : grid.programs) {
      executables.push_back(compiled.at(program).get());
    }
    RETURN_IF_ERROR(OpenDevices(static_cast<int>(executables.size())));
    InProcessCliqueProvider provider;
    auto results = RunOnLiterals(*platform_, provider, executables, arguments);
    // A device may be lost: the next case gets another.
    if (!results.ok()) platform_.reset();
    return results;
  }

 private:
  absl::StatusOr<std::shared_ptr<const Executable>> Compile(
      const Module& module, const ProcessGrid& grid, const Function& program) {
    // A copy, for the passes to change.
    ASSIGN_OR_RETURN(
        std::unique_ptr<Module> copy,
        ExtractProgram(module, program, grid.replicas, grid.partitions));
    PassManager passes;
    AddBackendOptimizations(passes, backend_);
    RETURN_IF_ERROR(passes.Run(*copy));
    return backend_.Compile(
        std::move(copy), DeviceAssignment::Iota(grid.replicas, grid.partitions),
        {});
  }

  // Devices for a case; those of the cases before where they are enough, for a
  // GPU takes a while to open.
  absl::Status OpenDevices(int count) {
    if (platform_ != nullptr &&
        static_cast<int>(platform_->devices().size()) >= count) {
      return absl::OkStatus();
    }
    platform_.reset();
    PlatformOptions options;
    options.device_count = count;
    options.ordinals.resize(static_cast<size_t>(count));
    std::iota(options.ordinals.begin(), options.ordinals.end(), 0);
    ASSIGN_OR_RETURN(platform_, MakePlatform(backend_.platform(), options));
    return absl::OkStatus();
  }

  Backend& backend_;
  std::unique_ptr<Platform> platform_;  // null: none is open
};

}  // namespace

absl::StatusOr<std::unique_ptr<ProgramRunner>> MakeProgramRunner(
    absl::string_view backend) {
  if (backend == "interpreter") return std::make_unique<InterpreterRunner>();
  if (backend == "interpreter-thunks") backend = "interpreter";
  ASSIGN_OR_RETURN(Backend * found, FindBackend(backend));
  return std::make_unique<BackendRunner>(*found);
}

}  // namespace lockstep::internal
