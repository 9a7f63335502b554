#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_UPDATE_SLICE_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_UPDATE_SLICE_THUNK_H_

#include <vector>

#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.dynamic_update_slice. Where the result lies in the operand's
// memory, only the update is written.
class UpdateSliceThunk : public HostThunk {
 public:
  explicit UpdateSliceThunk(const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override;
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  const std::vector<TensorSlice> operands_;  // operand, update, starts
  const TensorSlice result_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_UPDATE_SLICE_THUNK_H_
