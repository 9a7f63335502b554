#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_KERNEL_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_KERNEL_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/executable/tensor_slice.h"

namespace lockstep::internal {

// Runs a compiled kernel on its buffers: `inputs` that it reads, then those
// that it writes.
class KernelThunk : public HostThunk {
 public:
  KernelThunk(std::string name, std::string location,
              std::shared_ptr<const Kernel> kernel,
              const std::vector<TensorSlice>& buffers, size_t inputs);

  std::vector<BufferUse> buffer_uses() const override { return uses_; }
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  const std::shared_ptr<const Kernel> kernel_;
  std::vector<BufferUse> uses_;
  // How many parts threads may run at once; by size only.
  int64_t pieces_ = 1;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_KERNEL_THUNK_H_
