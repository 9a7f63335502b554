#ifndef LOCKSTEP_RUNTIME_CUDA_NVRTC_H_
#define LOCKSTEP_RUNTIME_CUDA_NVRTC_H_

#include <string>

#include "absl/status/statusor.h"
#include "runtime/cuda/nvrtc_api.h"

namespace lockstep::internal::cuda {

// The compiler of kernels, libnvrtc. Thread-safe.
struct Nvrtc {
#define LOCKSTEP_MEMBER(member, symbol, ...) \
  nvrtcResult (*member)(__VA_ARGS__) = nullptr;
  LOCKSTEP_NVRTC_FUNCTIONS(LOCKSTEP_MEMBER)
#undef LOCKSTEP_MEMBER

  std::string path;     // of the library
  std::string version;  // "12.4"
};

// Loads it at the first call; it stays until the process ends. UNIMPLEMENTED:
// not found, with all the places. FAILED_PRECONDITION: older than 12.0, or not
// it.
absl::StatusOr<const Nvrtc*> LoadNvrtc();

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_RUNTIME_CUDA_NVRTC_H_
