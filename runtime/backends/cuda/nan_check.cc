#include "runtime/backends/cuda/nan_check.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "runtime/backends/cuda/cublas_lt_product.h"
#include "runtime/base/status.h"
#include "runtime/cuda/cuda_driver.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kCorner = 64;

DotPlan CornerOf(const DotPlan& plan) {
  DotPlan corner = plan;
  for (DotPlan::Matrix* matrix : {&corner.lhs, &corner.rhs, &corner.result}) {
    matrix->rows = std::min(matrix->rows, kCorner);
    matrix->columns = std::min(matrix->columns, kCorner);
  }
  return corner;
}

int64_t SizeOf(cuda::cudaDataType_t type) {
  return type == cuda::CUDA_R_32F ? 4 : 2;
}

int64_t BytesOf(const DotPlan::Matrix& matrix, cuda::cudaDataType_t type) {
  return matrix.columns * matrix.leading_dimension * SizeOf(type);
}

// Whether each of these elements is NaN.
bool AreNan(const std::vector<std::byte>& bytes, cuda::cudaDataType_t type) {
  const bool is_wide = type == cuda::CUDA_R_32F;
  const uint32_t infinity = is_wide                     ? 0x7f800000
                            : type == cuda::CUDA_R_16BF ? 0x7f80
                                                        : 0x7c00;
  const size_t size = static_cast<size_t>(SizeOf(type));
  for (size_t i = 0; i < bytes.size(); i += size) {
    uint32_t bits = 0;
    std::memcpy(&bits, &bytes[i], size);
    if ((bits & (is_wide ? 0x7fffffff : 0x7fff)) <= infinity) return false;
  }
  return true;
}

class Stream {
 public:
  explicit Stream(CudaDevice& device) : device_(device) {}
  ~Stream() {
    if (stream_ != nullptr) device_.driver().cuStreamDestroy(stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  absl::Status Create() {
    return device_.Check(
        device_.driver().cuStreamCreate(&stream_, cuda::CU_STREAM_NON_BLOCKING),
        "cuStreamCreate");
  }
  absl::Status Await() {
    return device_.Check(device_.driver().cuStreamSynchronize(stream_),
                         "cuStreamSynchronize");
  }
  cuda::CUstream get() const { return stream_; }

 private:
  CudaDevice& device_;
  cuda::CUstream stream_ = nullptr;
};

}  // namespace

absl::StatusOr<bool> KeepsNan(std::shared_ptr<const CublasLtHandle> handle,
                              const DotPlan& plan,
                              const cuda::cublasLtMatmulAlgo_t& algorithm,
                              CudaDevice& device) {
  const DotPlan corner = CornerOf(plan);
  ASSIGN_OR_RETURN(const auto product,
                   CublasLtProduct::Create(std::move(handle), corner));
  const auto checked = product->Check(algorithm);
  if (!checked.has_value()) return false;

  int64_t size = 0;
  const auto place = [&size](int64_t bytes) {
    const int64_t offset = size;
    size += (bytes + CublasLtProduct::kWorkspaceAlignment - 1) /
            CublasLtProduct::kWorkspaceAlignment *
            CublasLtProduct::kWorkspaceAlignment;
    return static_cast<cuda::CUdeviceptr>(offset);
  };
  CublasLtProduct::Addresses addresses = {
      .lhs = place(BytesOf(corner.lhs, corner.operand_type)),
      .rhs = place(BytesOf(corner.rhs, corner.operand_type)),
      .result = place(BytesOf(corner.result, corner.result_type)),
      .workspace = place(static_cast<int64_t>(checked->workspace_bytes)),
      .bias = place(kCorner * SizeOf(corner.result_type))};
  const auto allocated = device.Allocate(size);
  // Where there is no memory for it nothing is known; the dot goes without.
  if (absl::IsResourceExhausted(allocated.status())) return false;
  RETURN_IF_ERROR(allocated.status());
  const auto& memory = *allocated;
  const auto begin =
      reinterpret_cast<cuda::CUdeviceptr>(memory->address().device_bytes());
  for (cuda::CUdeviceptr* address :
       {&addresses.lhs, &addresses.rhs, &addresses.result, &addresses.workspace,
        &addresses.bias}) {
    *address += begin;
  }

  // One column: all of them come out of the same code.
  std::vector<std::byte> column(
      static_cast<size_t>(corner.result.rows * SizeOf(corner.result_type)));
  const cuda::CudaDriver& driver = device.driver();
  Stream stream(device);
  RETURN_IF_ERROR(stream.Create());
  RETURN_IF_ERROR(device.Check(
      driver.cuMemsetD8Async(begin, 0, static_cast<size_t>(size), stream.get()),
      "cuMemsetD8Async"));
  absl::Status status =
      product->Multiply(*checked, std::numeric_limits<double>::quiet_NaN(),
                        addresses, stream.get());
  if (status.ok()) {
    status =
        device.Check(driver.cuMemcpyDtoHAsync(column.data(), addresses.result,
                                              column.size(), stream.get()),
                     "cuMemcpyDtoHAsync");
  }
  // Also after a failure: the memory goes.
  RETURN_IF_ERROR(stream.Await());
  RETURN_IF_ERROR(status);
  return AreNan(column, corner.result_type);
}

}  // namespace lockstep::internal
