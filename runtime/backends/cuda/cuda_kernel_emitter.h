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
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// Kernels where there is code for an op, dots by cuBLASLt where it is there and
// takes them; else the reference evaluation, on copies of the buffers on the
// host.
class CudaKernelEmitter : public KernelEmitter {
 public:
  struct Options {
    // Null: there is none.
    const cuda::CublasLt* cublas_lt = nullptr;
    // That of the compiler's cache; "": none.
    std::string cache_directory;
    // Whether launches use graphs. What is emitted looks the same without.
    bool has_graphs = true;
  };

  // Both outlive it; the module its thunks too.
  CudaKernelEmitter(const Module& module, CudaKernelCompiler& compiler,
                    Options options)
      : module_(module), compiler_(compiler), options_(std::move(options)) {}

  absl::StatusOr<std::unique_ptr<Thunk>> Emit(
      const KernelRequest& request) override;
  std::vector<InPlaceUse> InPlaceUses(const Op& op) const override;
  int64_t ScratchBytes(const Op& op) const override;
  absl::StatusOr<std::shared_ptr<const Reduction>> EmitReduction(
      const Op& op, const Region& body) override;
  bool has_device_collectives() const override { return true; }
  ThunkSequence Combine(ThunkSequence sequence) const override;

 private:
  // Null: no code for its types.
  std::unique_ptr<Thunk> EmitDot(const KernelRequest& request);
  // A fusion of kind dot. Null: the library has no such epilogue.
  std::unique_ptr<Thunk> EmitDotFusion(const KernelRequest& request);

  const Module& module_;
  CudaKernelCompiler& compiler_;
  const Options options_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_EMITTER_H_
