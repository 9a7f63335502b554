#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_FFT_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_FFT_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/backends/cpu/fourier/fourier_stage.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.fft, one dimension after the other.
class FftThunk : public HostThunk {
 public:
  // Null for empty tensors and for lengths whose tables would be large.
  static std::unique_ptr<HostThunk> Create(const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override {
    return {BufferUse::Read(operand_.slice), BufferUse::Write(result_.slice)};
  }
  std::string Details() const override { return "in lanes"; }

 protected:
  explicit FftThunk(const KernelRequest& request)
      : HostThunk(request.op->name(), request.op->location().ToString()),
        operand_(request.operands[0]),
        result_(request.results[0]) {}

  const TensorSlice operand_;
  const TensorSlice result_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_FFT_THUNK_H_
