#include "runtime/backends/cuda/cuda_copy_thunk.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

absl::Status CudaCopyThunk::PutOnStream(CudaDevice& device,
                                        cuda::CUstream stream,
                                        const BufferTable& buffers) const {
  if (source_.size == 0) return absl::OkStatus();
  return Annotate(device.Check(device.driver().cuMemcpyDtoDAsync(
                                   CudaAddressOf(target_, buffers),
                                   CudaAddressOf(source_, buffers),
                                   static_cast<size_t>(source_.size), stream),
                               "cuMemcpyDtoDAsync"),
                  absl::StrCat(location(), ": ", kind()));
}

}  // namespace lockstep::internal
