#ifndef LOCKSTEP_RUNTIME_CUDA_CUBLAS_LT_H_
#define LOCKSTEP_RUNTIME_CUDA_CUBLAS_LT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/cuda/cublas_lt_api.h"

namespace lockstep::internal::cuda {

// Matrix products of any layout, libcublasLt. Thread-safe.
struct CublasLt {
#define LOCKSTEP_MEMBER(member, symbol, ...) \
  cublasStatus_t (*member)(__VA_ARGS__) = nullptr;
  LOCKSTEP_CUBLAS_LT_FUNCTIONS(LOCKSTEP_MEMBER)
#undef LOCKSTEP_MEMBER

  std::string path;     // of the library
  std::string version;  // "12.4.5"
};

// Loads it at the first call; it stays until the process ends. UNIMPLEMENTED:
// not found, with all the places. FAILED_PRECONDITION: older than 12.0, or not
// it.
absl::StatusOr<const CublasLt*> LoadCublasLt();

// The outcome of `call`. RESOURCE_EXHAUSTED: out of memory. UNIMPLEMENTED: the
// library has no code for this on the device. FAILED_PRECONDITION: it cannot be
// set up. INTERNAL: all else.
absl::Status CublasLtStatus(cublasStatus_t result, absl::string_view call);

}  // namespace lockstep::internal::cuda

// The status of one call: LOCKSTEP_CUBLAS_LT_CALL(lt, cublasLtCreate, &handle).
#define LOCKSTEP_CUBLAS_LT_CALL(lt, function, ...)                       \
  ::lockstep::internal::cuda::CublasLtStatus((lt).function(__VA_ARGS__), \
                                             #function)

#endif  // LOCKSTEP_RUNTIME_CUDA_CUBLAS_LT_H_
