#ifndef LOCKSTEP_RUNTIME_BACKENDS_REFERENCE_EVALUATE_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_REFERENCE_EVALUATE_THUNK_H_

#include <vector>

#include "runtime/executable/host_thunk.h"
#include "runtime/ir/module.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// Runs the reference evaluation of one op on tensors in memory. The module
// outlives it.
class EvaluateThunk : public HostThunk {
 public:
  EvaluateThunk(const Module& module, KernelRequest request);

  std::vector<BufferUse> buffer_uses() const override;
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  const Module& module_;
  const KernelRequest request_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_REFERENCE_EVALUATE_THUNK_H_
