#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_BATCHED_CALL_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_BATCHED_CALL_THUNK_H_

#include <memory>
#include <vector>

#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"
#include "runtime/ops/custom_calls/custom_call_target.h"

namespace lockstep::internal {

// A custom_call whose target evaluates the members of a batch one by one: parts
// of the batch side by side.
class BatchedCallThunk : public HostThunk {
 public:
  // `request` is of a custom_call whose target accepts it. Null for targets
  // without batches, and batches of one.
  static std::unique_ptr<BatchedCallThunk> Create(const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override;
  // The error of the first part that has one.
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  BatchedCallThunk(const KernelRequest& request, const CustomCallTarget& target,
                   CustomCallTarget::Batch batch);

  const KernelRequest request_;
  const CustomCallTarget& target_;
  const CustomCallTarget::Batch batch_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_BATCHED_CALL_THUNK_H_
