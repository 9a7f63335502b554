#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_DOT_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_DOT_THUNK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/backends/cuda/cuda_kernel.h"
#include "runtime/backends/cuda/cuda_matrix_multiply.h"
#include "runtime/backends/cuda/cuda_stream_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// A dot by cuBLASLt, or by its kernel on devices for which the library has no
// algorithm. Errors of the library have the op's place, name, sizes and
// device: RESOURCE_EXHAUSTED is memory that the library itself wants; the
// workspace is the executable's.
class CudaDotThunk : public CudaStreamThunk {
 public:
  // The request's scratch is of ScratchBytes.
  CudaDotThunk(const KernelRequest& request,
               std::shared_ptr<const CudaMatrixMultiply> multiply,
               std::shared_ptr<const CudaKernel> kernel);

  // A workspace of the plan's size, wherever its aligned part begins.
  static int64_t ScratchBytes(const DotPlan& plan);

  std::vector<BufferUse> buffer_uses() const override;
  // "2x64x32x128 by cuBLASLt".
  std::string Details() const override;
  absl::Status PutOnStream(CudaDevice& device, cuda::CUstream stream,
                           const BufferTable& buffers) const override;

  // For a thunk of which it is a part.
  CudaMatrixMultiply::Addresses AddressesIn(const BufferTable& buffers) const;
  absl::Status Launch(CudaDevice& device, cuda::CUstream stream,
                      const CudaMatrixMultiply::Addresses& addresses) const;
  // "p:3:8: stablehlo.dot_general of tensor<..": for errors.
  const std::string& description() const { return description_; }

 private:
  const BufferSlice lhs_;
  const BufferSlice rhs_;
  const BufferSlice result_;
  const BufferSlice scratch_;
  const std::shared_ptr<const CudaMatrixMultiply> multiply_;
  const std::shared_ptr<const CudaKernel> kernel_;
  const std::string description_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_DOT_THUNK_H_
