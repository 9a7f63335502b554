#include "runtime/backends/cuda/codegen/nvrtc_compiler.h"

#include <cstddef>
#include <iterator>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/cuda/cuda_status.h"
#include "runtime/cuda/nvrtc.h"

namespace lockstep::internal {

absl::StatusOr<std::string> CompileCudaText(const std::string& text,
                                            absl::string_view target) {
  ASSIGN_OR_RETURN(const cuda::Nvrtc* nvrtc, cuda::LoadNvrtc());
  cuda::nvrtcProgram program = nullptr;
  RETURN_IF_ERROR(LOCKSTEP_NVRTC_CALL(*nvrtc, nvrtcCreateProgram, &program,
                                      text.c_str(), "kernel.cu", 0, nullptr,
                                      nullptr));
  const absl::Cleanup destroy = [&] { nvrtc->nvrtcDestroyProgram(&program); };
  const std::string architecture = absl::StrCat("--gpu-architecture=", target);
  // Products and sums are rounded one by one, as everywhere else.
  const char* const options[] = {architecture.c_str(), "--std=c++17",
                                 "--fmad=false", "--disable-warnings"};
  const cuda::nvrtcResult result = nvrtc->nvrtcCompileProgram(
      program, static_cast<int>(std::size(options)), options);
  if (result == cuda::NVRTC_ERROR_COMPILATION) {
    size_t size = 0;
    std::string log;
    if (nvrtc->nvrtcGetProgramLogSize(program, &size) == cuda::NVRTC_SUCCESS) {
      log.resize(size);
      nvrtc->nvrtcGetProgramLog(program, log.data());
    }
    return absl::InternalError(
        absl::StrCat("NVRTC refuses a kernel: ", log.c_str()));
  }
  RETURN_IF_ERROR(cuda::NvrtcStatus(result, "nvrtcCompileProgram"));
  size_t size = 0;
  RETURN_IF_ERROR(
      LOCKSTEP_NVRTC_CALL(*nvrtc, nvrtcGetCUBINSize, program, &size));
  std::string code(size, '\0');
  RETURN_IF_ERROR(
      LOCKSTEP_NVRTC_CALL(*nvrtc, nvrtcGetCUBIN, program, code.data()));
  return code;
}

absl::StatusOr<std::string> CudaCompilerVersion() {
  ASSIGN_OR_RETURN(const cuda::Nvrtc* nvrtc, cuda::LoadNvrtc());
  return absl::StrCat("NVRTC ", nvrtc->version);
}

}  // namespace lockstep::internal
