#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_EMITTER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_EMITTER_H_

#include <memory>
#include <vector>

#include "runtime/backends/cuda/cuda_kernel_compiler.h"
#include "runtime/backends/kernel_emitter.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Kernels where there is code for an op; else the reference evaluation, on
// copies of the buffers on the host.
class CudaKernelEmitter : public KernelEmitter {
 public:
  // Both outlive it; the module its thunks too.
  CudaKernelEmitter(const Module& module, CudaKernelCompiler& compiler)
      : module_(module), compiler_(compiler) {}

  absl::StatusOr<std::unique_ptr<Thunk>> Emit(
      const KernelRequest& request) override;
  std::vector<InPlaceUse> InPlaceUses(const Op& op) const override;
  absl::StatusOr<std::shared_ptr<const Reduction>> EmitReduction(
      const Op& op, const Region& body) override;

 private:
  const Module& module_;
  CudaKernelCompiler& compiler_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_EMITTER_H_
