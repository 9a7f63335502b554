#include "runtime/backends/cuda/cuda_kernel_thunk.h"

#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

CudaKernelThunk::CudaKernelThunk(std::string name, std::string location,
                                 std::shared_ptr<const CudaKernel> kernel,
                                 const std::vector<TensorSlice>& buffers,
                                 size_t inputs, std::string details,
                                 BufferSlice scratch)
    : CudaStreamThunk(std::move(name), std::move(location)),
      kernel_(std::move(kernel)),
      details_(std::move(details)) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    uses_.push_back(i < inputs ? BufferUse::Read(buffers[i].slice)
                               : BufferUse::Write(buffers[i].slice));
  }
  if (kernel_->program().scratch_bytes > 0) {
    uses_.push_back(BufferUse::Write(scratch));
  }
}

absl::Status CudaKernelThunk::PutOnStream(CudaDevice& device,
                                          cuda::CUstream stream,
                                          const BufferTable& buffers) const {
  absl::InlinedVector<cuda::CUdeviceptr, 16> addresses;
  for (const BufferUse& use : uses_) {
    addresses.push_back(CudaAddressOf(use.slice, buffers));
  }
  return Annotate(kernel_->Launch(device, stream, addresses),
                  absl::StrCat(location(), ": ", kind()));
}

CudaUpdateThunk::CudaUpdateThunk(const KernelRequest& request,
                                 std::shared_ptr<const CudaKernel> kernel)
    : CudaStreamThunk(request.op->name(), request.op->location().ToString()),
      operand_(request.operands[0].slice),
      result_(request.results[0].slice),
      copy_(location(), operand_, result_),
      update_(
          kind(), location(), std::move(kernel),
          [&] {
            std::vector<TensorSlice> buffers(request.operands.begin() + 1,
                                             request.operands.end());
            buffers.push_back(request.results[0]);
            return buffers;
          }(),
          request.operands.size() - 1, "", request.scratch) {}

std::vector<BufferUse> CudaUpdateThunk::buffer_uses() const {
  std::vector<BufferUse> uses = update_.buffer_uses();
  uses.insert(uses.begin(), BufferUse::Read(operand_));
  return uses;
}

absl::Status CudaUpdateThunk::PutOnStream(CudaDevice& device,
                                          cuda::CUstream stream,
                                          const BufferTable& buffers) const {
  if (operand_ != result_) {
    RETURN_IF_ERROR(copy_.PutOnStream(device, stream, buffers));
  }
  return update_.PutOnStream(device, stream, buffers);
}

}  // namespace lockstep::internal
