// The limits of GPUs, by the driver and cuBLASLt.
#include <array>
#include <memory>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "client/bench/device_limits.h"
#include "client/bench/repeated_timing.h"
#include "runtime/base/status.h"
#include "runtime/cuda/cublas_lt.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/cuda/cuda_status.h"
#include "runtime/devices/cuda/cuda_device.h"
#include "runtime/devices/device_memory.h"

namespace lockstep::internal {
namespace {

cuda::CUdeviceptr AddressOf(const DeviceMemory& memory) {
  return reinterpret_cast<cuda::CUdeviceptr>(memory.address().device_bytes());
}

// A stream of the caller's own on the device of the current context.
class OwnStream {
 public:
  static absl::StatusOr<std::unique_ptr<OwnStream>> Create(
      const cuda::CudaDriver& driver) {
    cuda::CUstream stream = nullptr;
    RETURN_IF_ERROR(LOCKSTEP_CUDA_CALL(driver, cuStreamCreate, &stream,
                                       cuda::CU_STREAM_NON_BLOCKING));
    return std::unique_ptr<OwnStream>(new OwnStream(driver, stream));
  }
  ~OwnStream() { driver_.cuStreamDestroy(stream_); }
  cuda::CUstream get() const { return stream_; }
  absl::Status Await() const {
    return LOCKSTEP_CUDA_CALL(driver_, cuStreamSynchronize, stream_);
  }

 private:
  OwnStream(const cuda::CudaDriver& driver, cuda::CUstream stream)
      : driver_(driver), stream_(stream) {}
  const cuda::CudaDriver& driver_;
  const cuda::CUstream stream_;
};

// A product of two square matrices, D = A B, as the library describes it.
class DirectProduct {
 public:
  DirectProduct(const cuda::CublasLt& library) : library_(library) {}
  ~DirectProduct() {
    if (layout_ != nullptr) library_.cublasLtMatrixLayoutDestroy(layout_);
    if (preference_ != nullptr) {
      library_.cublasLtMatmulPreferenceDestroy(preference_);
    }
    if (description_ != nullptr) {
      library_.cublasLtMatmulDescDestroy(description_);
    }
    if (handle_ != nullptr) library_.cublasLtDestroy(handle_);
  }

  // `bias`: 0 for none.
  absl::Status Prepare(int64_t side, cuda::cudaDataType_t type,
                       cuda::CUdeviceptr bias) {
    RETURN_IF_ERROR(
        LOCKSTEP_CUBLAS_LT_CALL(library_, cublasLtCreate, &handle_));
    RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
        library_, cublasLtMatmulDescCreate, &description_,
        cuda::CUBLAS_COMPUTE_32F, cuda::CUDA_R_32F));
    if (bias != 0) {
      const int32_t epilogue = cuda::CUBLASLT_EPILOGUE_RELU_BIAS;
      RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
          library_, cublasLtMatmulDescSetAttribute, description_,
          cuda::CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof(epilogue)));
      RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
          library_, cublasLtMatmulDescSetAttribute, description_,
          cuda::CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof(bias)));
    }
    RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
        library_, cublasLtMatrixLayoutCreate, &layout_, type,
        static_cast<uint64_t>(side), static_cast<uint64_t>(side), side));
    RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
        library_, cublasLtMatmulPreferenceCreate, &preference_));
    const auto workspace = static_cast<uint64_t>(kWorkspaceBytes);
    RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
        library_, cublasLtMatmulPreferenceSetAttribute, preference_,
        cuda::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
        sizeof(workspace)));
    int found = 0;
    RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
        library_, cublasLtMatmulAlgoGetHeuristic, handle_, description_,
        layout_, layout_, layout_, layout_, preference_, 1, &result_, &found));
    if (found > 0) return absl::OkStatus();
    return absl::UnimplementedError("cuBLASLt has no algorithm for this");
  }

  absl::Status Launch(const DeviceMemory& a, const DeviceMemory& b,
                      const DeviceMemory& d, const DeviceMemory& workspace,
                      cuda::CUstream stream) const {
    const float one = 1;
    const float zero = 0;
    const auto pointer = [](const DeviceMemory& memory) {
      return memory.address().device_bytes();
    };
    return LOCKSTEP_CUBLAS_LT_CALL(
        library_, cublasLtMatmul, handle_, description_, &one, pointer(a),
        layout_, pointer(b), layout_, &zero, pointer(d), layout_, pointer(d),
        layout_, &result_.algo, pointer(workspace), kWorkspaceBytes, stream);
  }

  static constexpr int64_t kWorkspaceBytes = int64_t{32} << 20;

 private:
  const cuda::CublasLt& library_;
  cuda::cublasLtHandle_t handle_ = nullptr;
  cuda::cublasLtMatmulDesc_t description_ = nullptr;
  cuda::cublasLtMatrixLayout_t layout_ = nullptr;
  cuda::cublasLtMatmulPreference_t preference_ = nullptr;
  cuda::cublasLtMatmulHeuristicResult_t result_ = {};
};

}  // namespace

absl::StatusOr<std::optional<HostCopyRates>> PinnedCopyRates(
    LocalDevice& device, int64_t bytes) {
  CudaDevice* const cuda_device = AsCudaDevice(device);
  if (cuda_device == nullptr) return std::nullopt;
  RETURN_IF_ERROR(cuda_device->MakeCurrent());
  ASSIGN_OR_RETURN(const cuda::CudaDriver* const driver,
                   cuda::LoadCudaDriver());
  ASSIGN_OR_RETURN(const auto memory, device.Allocate(bytes));
  void* host = nullptr;
  RETURN_IF_ERROR(LOCKSTEP_CUDA_CALL(*driver, cuMemHostAlloc, &host,
                                     static_cast<size_t>(bytes), 0));
  const absl::Cleanup free_host = [&] { driver->cuMemFreeHost(host); };
  ASSIGN_OR_RETURN(const auto stream, OwnStream::Create(*driver));
  const cuda::CUdeviceptr address = AddressOf(*memory);
  const auto size = static_cast<size_t>(bytes);
  const auto rate = [&](auto copy) -> absl::StatusOr<double> {
    ASSIGN_OR_RETURN(const double seconds,
                     SecondsPerTurn([&](int turns) -> absl::Status {
                       for (int i = 0; i < turns; ++i) RETURN_IF_ERROR(copy());
                       return stream->Await();
                     }));
    return static_cast<double>(bytes) / seconds * 1e-9;
  };
  HostCopyRates rates;
  ASSIGN_OR_RETURN(rates.to_device, rate([&] {
                     return LOCKSTEP_CUDA_CALL(*driver, cuMemcpyHtoDAsync,
                                               address, host, size,
                                               stream->get());
                   }));
  ASSIGN_OR_RETURN(rates.to_host, rate([&] {
                     return LOCKSTEP_CUDA_CALL(*driver, cuMemcpyDtoHAsync, host,
                                               address, size, stream->get());
                   }));
  return rates;
}

absl::StatusOr<std::optional<double>> CublasLtRate(
    LocalDevice& device, int64_t side, const std::string& type,
    const MatrixOperands& operands) {
  CudaDevice* const cuda_device = AsCudaDevice(device);
  const auto library = cuda::LoadCublasLt();
  if (cuda_device == nullptr || !library.ok()) return std::nullopt;
  RETURN_IF_ERROR(cuda_device->MakeCurrent());
  ASSIGN_OR_RETURN(const cuda::CudaDriver* const driver,
                   cuda::LoadCudaDriver());
  ASSIGN_OR_RETURN(const auto result, device.Allocate(operands.lhs->size()));
  ASSIGN_OR_RETURN(const auto workspace,
                   device.Allocate(DirectProduct::kWorkspaceBytes));
  ASSIGN_OR_RETURN(const auto stream, OwnStream::Create(*driver));
  DirectProduct product(**library);
  RETURN_IF_ERROR(product.Prepare(
      side, type == "f32" ? cuda::CUDA_R_32F : cuda::CUDA_R_16BF,
      operands.bias == nullptr ? 0 : AddressOf(*operands.bias)));
  ASSIGN_OR_RETURN(
      const double seconds, SecondsPerTurn([&](int turns) -> absl::Status {
        for (int i = 0; i < turns; ++i) {
          RETURN_IF_ERROR(product.Launch(*operands.lhs, *operands.rhs, *result,
                                         *workspace, stream->get()));
        }
        return stream->Await();
      }));
  const auto n = static_cast<double>(side);
  return 2 * n * n * n / seconds * 1e-12;
}

}  // namespace lockstep::internal
