#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/backends/cpu/backend_digest.h"
#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/backends/cpu/contraction/contraction_instructions.h"
#include "runtime/backends/cpu/cpu_kernel_emitter.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/backends/thunk_emitter.h"
#include "runtime/base/status.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {
namespace {

// Machine code for CpuTarget::OfProcess().
class CpuBackend : public Backend {
 public:
  std::string name() const override { return "cpu"; }
  // Kernels for different processors may add in different orders.
  std::string version() const override {
    return absl::StrCat(kCpuBackendDigest, " for ",
                        KernelCompiler::ProcessorName(), ", ",
                        ContractionInstructions());
  }
  std::string platform() const override { return "cpu"; }
  bool compiles_fusions() const override { return true; }
  bool CanFuse(const Op& op) const override { return HasKernelCode(op); }

  absl::StatusOr<std::shared_ptr<const Executable>> Compile(
      std::shared_ptr<const Module> module, const DeviceAssignment& assignment,
      const CompileOptions& options) override {
    RETURN_IF_ERROR(CpuTarget::StatusOfProcess());
    std::unique_ptr<KernelCompiler> compiler =
        KernelCompiler::Create(options.cache_directory);
    CpuKernelEmitter kernels(*module, *compiler);
    ASSIGN_OR_RETURN(Executable::Parts parts,
                     EmitThunks(module, assignment, options, kernels));
    RETURN_IF_ERROR(compiler->Finish());
    return std::make_shared<const Executable>(std::move(parts));
  }
};

const bool kIsRegistered = RegisterBackend(std::make_unique<CpuBackend>());

}  // namespace
}  // namespace lockstep::internal
