#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_NAN_CHECK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_NAN_CHECK_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/backends/cuda/cublas_lt_handle.h"
#include "runtime/backends/cuda/dot_plan.h"
#include "runtime/cuda/cublas_lt_api.h"
#include "runtime/devices/cuda/cuda_device.h"

namespace lockstep::internal {

// Whether an algorithm of cuBLASLt gives NaN for a sum of NaN behind the
// activation of the plan, as `maximum` does. The library does not say: of its
// algorithms some do and some make 0 of it. So a corner of the product, with
// the plan's leading dimensions, is computed with a factor of NaN, on a stream
// and in memory of its own, beside the arena's; blocks until it has run. False
// also where there is no memory for that. The plan has one call and no batches.
absl::StatusOr<bool> KeepsNan(std::shared_ptr<const CublasLtHandle> handle,
                              const DotPlan& plan,
                              const cuda::cublasLtMatmulAlgo_t& algorithm,
                              CudaDevice& device);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_NAN_CHECK_H_
