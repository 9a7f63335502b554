#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_TARGET_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_TARGET_H_

#include <string>

#include "absl/status/statusor.h"

namespace lockstep::internal {

// What kernels of this process are compiled for: "sm_90". Of
// LOCKSTEP_CUDA_TARGET where that is set, else of the first device.
// FAILED_PRECONDITION: neither is there, with the driver's reason;
// INVALID_ARGUMENT: the variable has another form.
absl::StatusOr<std::string> CudaTargetOfProcess();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_TARGET_H_
