#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_COMPILER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_COMPILER_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/backends/cuda/cuda_kernel.h"
#include "runtime/kernels/kernel_cache.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The kernels of one executable: those that are not cached are compiled all
// together, in parallel. Used by one thread.
class CudaKernelCompiler {
 public:
  // `target`, `compiler`: see cuda_target.h, nvrtc_compiler.h.
  CudaKernelCompiler(std::string cache_directory, std::string target,
                     std::string compiler);

  // Null when there is no code for the graph. The kernel must not run before
  // Finish.
  std::shared_ptr<const CudaKernel> Add(const KernelGraph& graph);
  // Compiles what was added.
  absl::Status Finish();

 private:
  struct Pending {
    std::string fingerprint;
    std::shared_ptr<CudaKernel> kernel;
    std::string text;
  };

  std::string CacheKey(const Pending& pending) const;
  absl::Status Compile(const Pending& pending) const;

  const KernelCache cache_;
  const std::string target_;
  const std::string compiler_;
  std::map<std::string, std::shared_ptr<const CudaKernel>> added_;
  std::vector<Pending> pending_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_COMPILER_H_
