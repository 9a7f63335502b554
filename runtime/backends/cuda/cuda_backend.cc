#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/backends/cuda/backend_digest.h"
#include "runtime/backends/cuda/codegen/cuda_target.h"
#include "runtime/backends/cuda/codegen/nvrtc_compiler.h"
#include "runtime/backends/cuda/cuda_kernel_compiler.h"
#include "runtime/backends/cuda/cuda_kernel_emitter.h"
#include "runtime/backends/cuda/dot_fusion_plan.h"
#include "runtime/backends/thunk_emitter.h"
#include "runtime/base/status.h"
#include "runtime/cuda/cublas_lt.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {
namespace {

std::string TextOr(const absl::StatusOr<std::string>& text) {
  return text.ok() ? *text : "none";
}

// The library that dots of this process use; null where there is none, or an
// old one. Looked for once: what is compiled later is compiled alike.
const cuda::CublasLt* CublasLtOfProcess() {
  static const cuda::CublasLt* const library =
      cuda::LoadCublasLt().value_or(nullptr);
  return library;
}

std::string CublasLtVersion() {
  const cuda::CublasLt* const library = CublasLtOfProcess();
  return library == nullptr ? "no cuBLASLt"
                            : absl::StrCat("cuBLASLt ", library->version);
}

bool HasGraphs() {
  const char* const text = std::getenv("LOCKSTEP_CUDA_GRAPHS");
  return text == nullptr || absl::string_view(text) != "0";
}

// Kernels as CUDA C++, compiled for CudaTargetOfProcess(), and cuBLASLt.
class CudaBackend : public Backend {
 public:
  std::string name() const override { return "cuda"; }
  std::string version() const override {
    return absl::StrCat(kCudaBackendDigest, " for ",
                        TextOr(CudaTargetOfProcess()), ", ",
                        TextOr(CudaCompilerVersion()), ", ", CublasLtVersion());
  }
  std::string platform() const override { return "cuda"; }
  bool compiles_fusions() const override { return true; }
  bool CanFuse(const Op& op) const override { return HasKernelCode(op); }
  bool CanFuseDot(const Op& fusion) const override {
    return CublasLtOfProcess() != nullptr && PlanDotFusion(fusion).has_value();
  }

  bool WantsBatchFirst(const Op& op) const override {
    return CublasLtOfProcess() != nullptr && IsSlowAsItLies(op);
  }

  // FAILED_PRECONDITION, UNIMPLEMENTED: no device to compile for, no NVRTC.
  absl::StatusOr<std::shared_ptr<const Executable>> Compile(
      std::shared_ptr<const Module> module, const DeviceAssignment& assignment,
      const CompileOptions& options) override {
    ASSIGN_OR_RETURN(std::string target, CudaTargetOfProcess());
    ASSIGN_OR_RETURN(std::string compiler_version, CudaCompilerVersion());
    CudaKernelCompiler compiler(options.cache_directory, std::move(target),
                                std::move(compiler_version));
    CudaKernelEmitter kernels(*module, compiler,
                              {.cublas_lt = CublasLtOfProcess(),
                               .cache_directory = options.cache_directory,
                               .has_graphs = HasGraphs()});
    ASSIGN_OR_RETURN(Executable::Parts parts,
                     EmitThunks(module, assignment, options, kernels));
    RETURN_IF_ERROR(compiler.Finish());
    return std::make_shared<const Executable>(std::move(parts));
  }
};

const bool kIsRegistered = RegisterBackend(std::make_unique<CudaBackend>());

}  // namespace
}  // namespace lockstep::internal
