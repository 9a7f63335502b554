#include "runtime/backends/cuda/cuda_dot_fusion_thunk.h"

#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

CudaDotFusionThunk::CudaDotFusionThunk(
    const KernelRequest& request, const DotFusionPlan& fusion,
    std::shared_ptr<const CudaMatrixMultiply> multiply,
    std::unique_ptr<const CudaDotThunk> dot,
    std::shared_ptr<const CudaKernel> rest)
    : CudaStreamThunk(request.op->name(), request.op->location().ToString()),
      multiply_(std::move(multiply)),
      dot_(std::move(dot)),
      rest_(std::move(rest)) {
  if (fusion.bias >= 0) {
    bias_ = request.operands[static_cast<size_t>(fusion.bias)].slice;
  }
}

std::vector<BufferUse> CudaDotFusionThunk::buffer_uses() const {
  std::vector<BufferUse> uses = dot_->buffer_uses();
  if (bias_.has_value()) uses.push_back(BufferUse::Read(*bias_));
  return uses;
}

std::string CudaDotFusionThunk::Details() const {
  const DotPlan& plan = multiply_->plan();
  const char* const activation = plan.has_relu()   ? "relu"
                                 : plan.has_gelu() ? "gelu"
                                                   : "";
  return absl::StrCat(dot_->Details(), " with ", plan.has_bias() ? "bias" : "",
                      plan.has_bias() && *activation != '\0' ? " and " : "",
                      activation);
}

absl::Status CudaDotFusionThunk::PutOnStream(CudaDevice& device,
                                             cuda::CUstream stream,
                                             const BufferTable& buffers) const {
  CudaMatrixMultiply::Addresses addresses = dot_->AddressesIn(buffers);
  if (bias_.has_value()) addresses.bias = CudaAddressOf(*bias_, buffers);
  const absl::StatusOr<bool> is_done =
      multiply_->Launch(device, stream, addresses);
  if (!is_done.ok()) return Annotate(is_done.status(), dot_->description());
  if (*is_done) return absl::OkStatus();
  RETURN_IF_ERROR(dot_->Launch(device, stream, addresses));
  absl::InlinedVector<cuda::CUdeviceptr, 3> arguments = {addresses.result};
  if (bias_.has_value()) arguments.push_back(addresses.bias);
  arguments.push_back(addresses.result);
  return rest_->Launch(device, stream, arguments);
}

}  // namespace lockstep::internal
