#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUBLAS_LT_HANDLE_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUBLAS_LT_HANDLE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/cuda/cublas_lt.h"
#include "runtime/devices/cuda/cuda_device.h"

namespace lockstep::internal {

// cuBLASLt on a device, for all that use it there; keeps the device.
// Thread-safe.
class CublasLtHandle {
 public:
  // That of the device, whose context is current; made when nobody has it.
  static absl::StatusOr<std::shared_ptr<const CublasLtHandle>> On(
      const cuda::CublasLt& library, CudaDevice& device);
  ~CublasLtHandle();
  CublasLtHandle(const CublasLtHandle&) = delete;
  CublasLtHandle& operator=(const CublasLtHandle&) = delete;

  const cuda::CublasLt& library() const { return library_; }
  cuda::cublasLtHandle_t get() const { return handle_; }

 private:
  CublasLtHandle(const cuda::CublasLt& library, CudaDevice& device,
                 cuda::cublasLtHandle_t handle);

  const cuda::CublasLt& library_;
  const std::shared_ptr<LocalDevice> owner_;
  CudaDevice& device_;
  const cuda::cublasLtHandle_t handle_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUBLAS_LT_HANDLE_H_
