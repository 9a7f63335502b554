#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCATTER_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCATTER_THUNK_H_

#include <memory>
#include <optional>
#include <vector>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/backends/cpu/thunks/update_list.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"
#include "runtime/kernels/update_step.h"

namespace lockstep::internal {

// stablehlo.scatter. Where a result lies in its input's memory, only the
// updates are written. Threads have ranges of the result, so that every element
// gets its updates in their order.
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
  ScatterThunk(const KernelRequest& request, std::optional<UpdateRows> rows,
               UpdateList list, std::shared_ptr<const Kernel> kernel);
  // The elements [begin, end) of the inputs, into the results. Inputs that are
  // zero everywhere are not read.
  void CopyInputs(HostContext& context, int64_t begin, int64_t end) const;
  void ScatterRows(HostContext& context, std::vector<char*> buffers) const;
  void ScatterList(HostContext& context, std::vector<char*> buffers) const;

  const std::vector<TensorSlice> operands_;  // inputs, indices, updates
  const std::vector<TensorSlice> results_;
  std::vector<bool> is_zero_;  // whether each input is
  const std::optional<UpdateRows> rows_;
  const UpdateList list_;  // when there are no rows
  const std::shared_ptr<const Kernel> kernel_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCATTER_THUNK_H_
