#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_TOP_K_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_TOP_K_THUNK_H_

#include <memory>
#include <vector>

#include "runtime/backends/cpu/sorting/sort_order.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// chlo.top_k: of every row the largest elements, largest first, and their
// positions; of equal elements the first ones. Floats in IEEE 754's totalOrder.
class TopKThunk : public HostThunk {
 public:
  // Null for element types that are no keys, and rows of 2^31 elements.
  static std::unique_ptr<TopKThunk> Create(const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override;
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  explicit TopKThunk(const KernelRequest& request);

  const TensorSlice operand_;
  const TensorSlice values_;
  const TensorSlice positions_;
  const SortKey key_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_TOP_K_THUNK_H_
