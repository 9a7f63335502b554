#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_COPY_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_COPY_THUNK_H_

#include <string>
#include <utility>
#include <vector>

#include "runtime/backends/cuda/cuda_stream_thunk.h"

namespace lockstep::internal {

// target = source, byte for byte: a CopyThunk on a stream. The two have one
// size and do not overlap.
class CudaCopyThunk : public CudaStreamThunk {
 public:
  CudaCopyThunk(std::string location, BufferSlice source, BufferSlice target)
      : CudaStreamThunk("copy", std::move(location)),
        source_(source),
        target_(target) {}

  std::vector<BufferUse> buffer_uses() const override {
    return {BufferUse::Read(source_), BufferUse::Write(target_)};
  }
  absl::Status PutOnStream(CudaDevice& device, cuda::CUstream stream,
                           const BufferTable& buffers) const override;

 private:
  const BufferSlice source_;
  const BufferSlice target_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_COPY_THUNK_H_
