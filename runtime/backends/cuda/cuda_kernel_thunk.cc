#include "runtime/backends/cuda/cuda_kernel_thunk.h"

#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/devices/cuda/cuda_queue.h"

namespace lockstep::internal {

absl::StatusOr<CudaQueue*> CudaQueueFor(const Thunk& thunk,
                                        const ExecuteContext& context) {
  CudaQueue* const queue = AsCudaQueue(*context.queue);
  if (queue != nullptr) return queue;
  return absl::FailedPreconditionError(absl::StrCat(
      thunk.location(), ": ", thunk.kind(),
      " was compiled for the platform cuda, and the device is another's"));
}

cuda::CUdeviceptr CudaAddressOf(const BufferSlice& slice,
                                const ExecuteContext& context) {
  return reinterpret_cast<uintptr_t>(
      context.buffers.Address(slice).device_bytes());
}

CudaKernelThunk::CudaKernelThunk(std::string name, std::string location,
                                 std::shared_ptr<const CudaKernel> kernel,
                                 const std::vector<TensorSlice>& buffers,
                                 size_t inputs, std::string details,
                                 BufferSlice scratch)
    : Thunk(std::move(name), std::move(location)),
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

absl::Status CudaKernelThunk::Execute(ExecuteContext& context) const {
  ASSIGN_OR_RETURN(CudaQueue* const queue, CudaQueueFor(*this, context));
  absl::InlinedVector<cuda::CUdeviceptr, 16> addresses;
  for (const BufferUse& use : uses_) {
    addresses.push_back(CudaAddressOf(use.slice, context));
  }
  queue->Enqueue(*context.scope,
                 [this, queue, addresses = std::move(addresses)](
                     const cuda::CudaDriver&, cuda::CUstream stream) {
                   return kernel_->Launch(queue->device(), stream, addresses);
                 });
  return absl::OkStatus();
}

CudaUpdateSliceThunk::CudaUpdateSliceThunk(
    const KernelRequest& request, std::shared_ptr<const CudaKernel> kernel)
    : Thunk(request.op->name(), request.op->location().ToString()),
      operand_(request.operands[0].slice),
      result_(request.results[0].slice),
      update_(
          kind(), location(), std::move(kernel),
          [&] {
            std::vector<TensorSlice> buffers(request.operands.begin() + 1,
                                             request.operands.end());
            buffers.push_back(request.results[0]);
            return buffers;
          }(),
          request.operands.size() - 1) {}

std::vector<BufferUse> CudaUpdateSliceThunk::buffer_uses() const {
  std::vector<BufferUse> uses = update_.buffer_uses();
  uses.insert(uses.begin(), BufferUse::Read(operand_));
  return uses;
}

absl::Status CudaUpdateSliceThunk::Execute(ExecuteContext& context) const {
  if (operand_ != result_) {
    context.queue->Copy(*context.scope, context.buffers.Address(result_),
                        context.buffers.Address(operand_));
  }
  return update_.Execute(context);
}

}  // namespace lockstep::internal
