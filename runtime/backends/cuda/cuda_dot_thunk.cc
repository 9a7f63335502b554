#include "runtime/backends/cuda/cuda_dot_thunk.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kAlignment = CudaMatrixMultiply::kWorkspaceAlignment;

}  // namespace

CudaDotThunk::CudaDotThunk(const KernelRequest& request,
                           std::shared_ptr<const CudaMatrixMultiply> multiply,
                           std::shared_ptr<const CudaKernel> kernel)
    : CudaStreamThunk(request.op->name(), request.op->location().ToString()),
      lhs_(request.operands[0].slice),
      rhs_(request.operands[1].slice),
      result_(request.results[0].slice),
      scratch_(request.scratch),
      multiply_(std::move(multiply)),
      kernel_(std::move(kernel)),
      description_(absl::StrCat(location(), ": ", kind(), " of ",
                                request.operands[0].shape.ToString(), " and ",
                                request.operands[1].shape.ToString(), " to ",
                                request.results[0].shape.ToString())) {}

int64_t CudaDotThunk::ScratchBytes(const DotPlan& plan) {
  return plan.workspace_bytes + kAlignment - kBufferAlignment;
}

std::vector<BufferUse> CudaDotThunk::buffer_uses() const {
  return {BufferUse::Read(lhs_), BufferUse::Read(rhs_),
          BufferUse::Write(result_), BufferUse::Write(scratch_)};
}

std::string CudaDotThunk::Details() const {
  const DotPlan& plan = multiply_->plan();
  std::string details = absl::StrCat(plan.sizes, " by cuBLASLt");
  if (plan.compute_type == cuda::CUBLAS_COMPUTE_32F_FAST_TF32) {
    absl::StrAppend(&details, " in TF32");
  }
  if (plan.calls.size() > 1) {
    absl::StrAppend(&details, " in ", plan.calls.size(), " calls");
  }
  return details;
}

CudaMatrixMultiply::Addresses CudaDotThunk::AddressesIn(
    const BufferTable& buffers) const {
  return {.lhs = CudaAddressOf(lhs_, buffers),
          .rhs = CudaAddressOf(rhs_, buffers),
          .result = CudaAddressOf(result_, buffers),
          .workspace = (CudaAddressOf(scratch_, buffers) + kAlignment - 1) /
                       kAlignment * kAlignment};
}

absl::Status CudaDotThunk::PutOnStream(CudaDevice& device,
                                       cuda::CUstream stream,
                                       const BufferTable& buffers) const {
  return Launch(device, stream, AddressesIn(buffers));
}

absl::Status CudaDotThunk::Launch(
    CudaDevice& device, cuda::CUstream stream,
    const CudaMatrixMultiply::Addresses& addresses) const {
  const absl::StatusOr<bool> is_done =
      multiply_->Launch(device, stream, addresses);
  if (!is_done.ok()) return Annotate(is_done.status(), description_);
  if (*is_done) return absl::OkStatus();
  return kernel_->Launch(device, stream,
                         {addresses.lhs, addresses.rhs, addresses.result});
}

}  // namespace lockstep::internal
