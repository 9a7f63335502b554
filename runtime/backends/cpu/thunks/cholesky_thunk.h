#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CHOLESKY_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CHOLESKY_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.cholesky: matrices of the batch side by side. f16 and bf16 are
// computed in f32.
class CholeskyThunk : public HostThunk {
 public:
  // Null for empty tensors.
  static std::unique_ptr<CholeskyThunk> Create(const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override {
    return {BufferUse::Read(operand_.slice), BufferUse::Write(result_.slice)};
  }
  std::string Details() const override { return "by eigen"; }
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  CholeskyThunk(const KernelRequest& request, bool is_lower)
      : HostThunk(request.op->name(), request.op->location().ToString()),
        operand_(request.operands[0]),
        result_(request.results[0]),
        is_lower_(is_lower) {}

  const TensorSlice operand_;
  const TensorSlice result_;
  const bool is_lower_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CHOLESKY_THUNK_H_
