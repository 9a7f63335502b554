#include "runtime/backends/cuda/cuda_copy_thunk.h"

#include <cstddef>

namespace lockstep::internal {

absl::Status CudaCopyThunk::PutOnStream(CudaDevice& device,
                                        cuda::CUstream stream,
                                        const BufferTable& buffers) const {
  if (source_.size == 0) return absl::OkStatus();
  return device.Check(
      device.driver().cuMemcpyDtoDAsync(
          CudaAddressOf(target_, buffers), CudaAddressOf(source_, buffers),
          static_cast<size_t>(source_.size), stream),
      "cuMemcpyDtoDAsync");
}

}  // namespace lockstep::internal
