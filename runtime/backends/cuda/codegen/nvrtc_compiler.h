#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_NVRTC_COMPILER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_NVRTC_COMPILER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// `text` as machine code for `target` ("sm_90"). INTERNAL, with the compiler's
// messages: the text is wrong. Errors of cuda::LoadNvrtc. Thread-safe.
absl::StatusOr<std::string> CompileCudaText(const std::string& text,
                                            absl::string_view target);

// What code depends on beside the text and the target: NVRTC's version.
absl::StatusOr<std::string> CudaCompilerVersion();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_NVRTC_COMPILER_H_
