#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_EMITTER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_EMITTER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/backends/cuda/cuda_kernel_compiler.h"
#include "runtime/backends/kernel_emitter.h"
#include "runtime/cuda/cublas_lt.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Kernels where there is code for an op, dots by cuBLASLt where it is there and
// takes them; else the reference evaluation, on copies of the buffers on the
// host.
class CudaKernelEmitter : public KernelEmitter {
 public:
  // Both outlive it; the module its thunks too. `cublas_lt`: null where there
  // is none. The directory is that of the compiler's cache.
  CudaKernelEmitter(const Module& module, CudaKernelCompiler& compiler,
                    const cuda::CublasLt* cublas_lt,
                    std::string cache_directory)
      : module_(module),
        compiler_(compiler),
        cublas_lt_(cublas_lt),
        cache_directory_(std::move(cache_directory)) {}

  absl::StatusOr<std::unique_ptr<Thunk>> Emit(
      const KernelRequest& request) override;
  std::vector<InPlaceUse> InPlaceUses(const Op& op) const override;
  int64_t ScratchBytes(const Op& op) const override;
  absl::StatusOr<std::shared_ptr<const Reduction>> EmitReduction(
      const Op& op, const Region& body) override;

 private:
  // Null: no code for its types.
  std::unique_ptr<Thunk> EmitDot(const KernelRequest& request);
  // A fusion of kind dot. Null: the library has no such epilogue.
  std::unique_ptr<Thunk> EmitDotFusion(const KernelRequest& request);

  const Module& module_;
  CudaKernelCompiler& compiler_;
  const cuda::CublasLt* const cublas_lt_;
  const std::string cache_directory_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_EMITTER_H_
