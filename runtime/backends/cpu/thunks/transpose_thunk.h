#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_TRANSPOSE_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_TRANSPOSE_THUNK_H_

#include <memory>
#include <vector>

#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.transpose of a large tensor whose fastest dimension changes: by
// tiles, so that every cache line is read once and written once.
class TransposeThunk : public HostThunk {
 public:
  // Null when a loop would do: small tensors, or rows that stay rows.
  static std::unique_ptr<TransposeThunk> Create(const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override {
    return {BufferUse::Read(operand_), BufferUse::Write(result_)};
  }
  absl::Status ExecuteOnHost(HostContext& context) const override;

  // Dims of the result, neighbours merged; strides in elements.
  struct Dim {
    int64_t size = 1;
    int64_t from_stride = 0;
    int64_t to_stride = 0;
  };
  // Matrices of which columns become rows: `across` has from_stride 1, `along`
  // has to_stride 1. One for every index of `outer`.
  struct Plan {
    std::vector<Dim> outer;
    Dim across, along;
  };

 private:
  TransposeThunk(const KernelRequest& request, Plan plan);

  const BufferSlice operand_;
  const BufferSlice result_;
  const int64_t element_size_;
  const Plan plan_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_TRANSPOSE_THUNK_H_
