#ifndef LOCKSTEP_RUNTIME_CUDA_NCCL_H_
#define LOCKSTEP_RUNTIME_CUDA_NCCL_H_

#include <string>

#include "absl/status/statusor.h"
#include "runtime/cuda/nccl_api.h"

namespace lockstep::internal::cuda {

// Collectives between devices, libnccl. Thread-safe.
struct Nccl {
#define LOCKSTEP_MEMBER(member, symbol, ...) \
  ncclResult_t (*member)(__VA_ARGS__) = nullptr;
  LOCKSTEP_NCCL_FUNCTIONS(LOCKSTEP_MEMBER)
#undef LOCKSTEP_MEMBER

  std::string path;     // of the library
  std::string version;  // "2.21.5"
};

// Loads it at the first call; it stays until the process ends. UNIMPLEMENTED:
// not found, with all the places. FAILED_PRECONDITION: older than 2.18, or not
// it.
absl::StatusOr<const Nccl*> LoadNccl();

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_RUNTIME_CUDA_NCCL_H_
