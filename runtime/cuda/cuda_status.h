#ifndef LOCKSTEP_RUNTIME_CUDA_CUDA_STATUS_H_
#define LOCKSTEP_RUNTIME_CUDA_CUDA_STATUS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/cuda/nccl_api.h"
#include "runtime/cuda/nvrtc_api.h"

// The outcome of CUDA's calls as a status: "cuMemAlloc:
// CUDA_ERROR_OUT_OF_MEMORY: out of memory".

namespace lockstep::internal::cuda {

// OK for success. RESOURCE_EXHAUSTED: out of memory. FAILED_PRECONDITION: no
// device, or a system that is not set up. INTERNAL: all else; of one that ends
// the context it is said that the device is lost for this process.
absl::Status DriverStatus(const CudaDriver& driver, CUresult result,
                          absl::string_view call);
absl::Status NvrtcStatus(nvrtcResult result, absl::string_view call);
// UNAVAILABLE: another rank or the network is gone. INTERNAL: all else. A call
// that is in progress is OK.
absl::Status NcclStatus(ncclResult_t result, absl::string_view call);

// Whether no further call can work in the context in which this came up.
bool IsContextLost(CUresult result);

}  // namespace lockstep::internal::cuda

// The status of one call: LOCKSTEP_CUDA_CALL(driver, cuMemFree, address).
#define LOCKSTEP_CUDA_CALL(driver, function, ...) \
  ::lockstep::internal::cuda::DriverStatus(       \
      (driver), (driver).function(__VA_ARGS__), #function)
#define LOCKSTEP_NVRTC_CALL(nvrtc, function, ...)                        \
  ::lockstep::internal::cuda::NvrtcStatus((nvrtc).function(__VA_ARGS__), \
                                          #function)
#define LOCKSTEP_NCCL_CALL(nccl, function, ...)                        \
  ::lockstep::internal::cuda::NcclStatus((nccl).function(__VA_ARGS__), \
                                         #function)

#endif  // LOCKSTEP_RUNTIME_CUDA_CUDA_STATUS_H_
