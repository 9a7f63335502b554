#ifndef LOCKSTEP_RUNTIME_CUDA_CUDA_DRIVER_H_
#define LOCKSTEP_RUNTIME_CUDA_CUDA_DRIVER_H_

#include <string>

#include "absl/status/statusor.h"
#include "runtime/cuda/driver_api.h"

namespace lockstep::internal::cuda {

// The driver, libcuda. Thread-safe.
struct CudaDriver {
#define LOCKSTEP_MEMBER(member, symbol, ...) \
  CUresult (*member)(__VA_ARGS__) = nullptr;
  LOCKSTEP_CUDA_DRIVER_FUNCTIONS(LOCKSTEP_MEMBER)
#undef LOCKSTEP_MEMBER

  std::string path;     // of the library
  std::string version;  // "12.4": of CUDA, that it supports
};

// Loads it at the first call; it stays until the process ends. UNIMPLEMENTED:
// not found, with all the places. FAILED_PRECONDITION: older than 12.0, or not
// it.
absl::StatusOr<const CudaDriver*> LoadCudaDriver();

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_RUNTIME_CUDA_CUDA_DRIVER_H_
