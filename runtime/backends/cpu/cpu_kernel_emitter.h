#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CPU_KERNEL_EMITTER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CPU_KERNEL_EMITTER_H_

#include <memory>
#include <vector>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/backends/kernel_emitter.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/ir/module.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// Thunks for host memory: compiled kernels where there is code, thunks of
// their own for dots and the like, else the reference evaluation.
class CpuKernelEmitter : public KernelEmitter {
 public:
  // Both outlive it; the module outlives the thunks.
  CpuKernelEmitter(const Module& module, KernelCompiler& compiler)
      : module_(module), compiler_(compiler) {}

  absl::StatusOr<std::unique_ptr<Thunk>> Emit(
      const KernelRequest& request) override;
  absl::StatusOr<std::unique_ptr<Thunk>> EmitLoop(
      const LoopRequest& request) override;
  std::vector<InPlaceUse> InPlaceUses(const Op& op) const override;
  absl::StatusOr<std::shared_ptr<const Reduction>> EmitReduction(
      const Op& op, const Region& body) override;

 private:
  absl::StatusOr<std::unique_ptr<HostThunk>> EmitHostThunk(
      const KernelRequest& request);

  const Module& module_;
  KernelCompiler& compiler_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CPU_KERNEL_EMITTER_H_
