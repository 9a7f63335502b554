#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_MATRIX_MULTIPLY_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_MATRIX_MULTIPLY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/backends/cuda/cublas_lt_product.h"
#include "runtime/backends/cuda/dot_plan.h"
#include "runtime/cuda/cublas_lt.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/devices/cuda/cuda_device.h"
#include "runtime/kernels/kernel_cache.h"

namespace lockstep::internal {

// A plan with the algorithm that cuBLASLt has for it on each device: the first
// that its heuristic names, asked for once per device and kept, on disk too
// where there is a cache. Shared by the thunks that have equal plans.
// Thread-safe.
class CudaMatrixMultiply {
 public:
  using Addresses = CublasLtProduct::Addresses;
  static constexpr int64_t kWorkspaceAlignment =
      CublasLtProduct::kWorkspaceAlignment;

  // The one of this process with that plan and cache; `library` is there until
  // the process ends. "": no cache.
  static std::shared_ptr<const CudaMatrixMultiply> Get(
      const cuda::CublasLt& library, const DotPlan& plan,
      const std::string& cache_directory);
  ~CudaMatrixMultiply();
  CudaMatrixMultiply(const CudaMatrixMultiply&) = delete;
  CudaMatrixMultiply& operator=(const CudaMatrixMultiply&) = delete;

  const DotPlan& plan() const { return plan_; }

  // Puts the products on a stream of a device whose context is current. False,
  // and nothing is there: the library has no algorithm, or none with the plan's
  // epilogue, or it hides NaN there. Errors are the library's.
  absl::StatusOr<bool> Launch(CudaDevice& device, cuda::CUstream stream,
                              const Addresses& addresses) const;

 private:
  class OnDevice;

  CudaMatrixMultiply(const cuda::CublasLt& library, DotPlan plan,
                     std::string cache_directory);

  absl::StatusOr<const OnDevice*> PrepareOn(CudaDevice& device) const;

  const cuda::CublasLt& library_;
  const DotPlan plan_;
  const KernelCache cache_;
  mutable absl::Mutex mutex_;
  // Entries stay.
  mutable std::map<const CudaDevice*, std::unique_ptr<const OnDevice>> prepared_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_MATRIX_MULTIPLY_H_
