#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SELECT_AND_SCATTER_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SELECT_AND_SCATTER_THUNK_H_

#include <memory>
#include <vector>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.select_and_scatter: windows select, some at a time and in any
// order; then the source is combined into the result, in the order of places.
class SelectAndScatterThunk : public HostThunk {
 public:
  // Null when there is no code for it.
  static std::unique_ptr<SelectAndScatterThunk> Create(
      const KernelRequest& request, KernelCompiler& compiler);

  std::vector<BufferUse> buffer_uses() const override;
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  SelectAndScatterThunk(const KernelRequest& request,
                        std::shared_ptr<const Kernel> select,
                        std::shared_ptr<const Kernel> update);

  const TensorSlice operand_, source_, init_, result_;
  const std::shared_ptr<const Kernel> select_;
  const std::shared_ptr<const Kernel> update_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SELECT_AND_SCATTER_THUNK_H_
