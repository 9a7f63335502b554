#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCATTER_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCATTER_THUNK_H_

#include <memory>
#include <vector>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/backends/cpu/thunks/update_list.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.scatter. Where a result lies in its input's memory, only the
// updates are written.
class ScatterThunk : public HostThunk {
 public:
  // Whether there is code for a scatter.
  static bool HasCodeFor(const Op& op);
  // Null when there is none.
  static std::unique_ptr<ScatterThunk> Create(const KernelRequest& request,
                                              KernelCompiler& compiler);

  std::vector<BufferUse> buffer_uses() const override;
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  ScatterThunk(const KernelRequest& request, UpdateList list,
               std::shared_ptr<const Kernel> kernel);

  const std::vector<TensorSlice> operands_;  // inputs, indices, updates
  const std::vector<TensorSlice> results_;
  const UpdateList list_;
  const std::shared_ptr<const Kernel> kernel_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCATTER_THUNK_H_
