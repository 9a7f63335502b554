#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_DOT_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_DOT_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/backends/cpu/contraction/matrix_multiply.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.dot_general and stablehlo.dot: a product of matrices, by oneDNN
// where it is good at it. Operands of other types than the result are converted
// first, large ones of f16 to f32; but not small integers that are summed in
// s32, nor bf16 in f32.
class DotThunk : public HostThunk {
 public:
  // Null when there is no code for the types.
  static std::unique_ptr<DotThunk> Create(const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override;
  std::string Details() const override { return details_; }
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  // Of the matrices that are multiplied.
  struct Types {
    ElementType lhs, rhs, result;
  };
  // A product, the types it takes and who computes it.
  struct Choice {
    Types types;
    std::unique_ptr<MatrixMultiply> multiply;
    const char* by;
  };

  static Choice Choose(const KernelRequest& request, const DotLayout& layout);
  DotThunk(const KernelRequest& request, Choice choice, std::string details);

  const TensorSlice lhs_;
  const TensorSlice rhs_;
  const TensorSlice result_;
  const Types types_;
  const bool converts_;
  const std::unique_ptr<MatrixMultiply> multiply_;
  const std::string details_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_DOT_THUNK_H_
