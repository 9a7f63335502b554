#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CONCATENATE_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CONCATENATE_THUNK_H_

#include <cstdint>
#include <vector>

#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.concatenate: a copy of each operand, without a question per
// element.
class ConcatenateThunk : public HostThunk {
 public:
  explicit ConcatenateThunk(const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override;
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  // Some rows of one operand; lengths and places in elements. A row of the
  // result is `row_length_` long.
  struct Piece {
    size_t operand = 0;
    int64_t rows = 0;
    int64_t length = 0;  // of a row
    int64_t from = 0;
    int64_t to = 0;
  };

  const std::vector<TensorSlice> operands_;
  const TensorSlice result_;
  bool interleaves_ = false;  // two operands, an element of each by turns
  int64_t row_length_ = 1;
  std::vector<Piece> pieces_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CONCATENATE_THUNK_H_
