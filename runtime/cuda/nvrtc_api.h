#ifndef LOCKSTEP_RUNTIME_CUDA_NVRTC_API_H_
#define LOCKSTEP_RUNTIME_CUDA_NVRTC_API_H_

#include <cstddef>

// What is used of NVRTC, as driver_api.h does it of the driver; nvrtc.h.

namespace lockstep::internal::cuda {

using nvrtcProgram = struct _nvrtcProgram*;

enum nvrtcResult : int {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
};

// F(member, "symbol", parameters...), all of which return nvrtcResult.
#define LOCKSTEP_NVRTC_FUNCTIONS(F)                                            \
  F(nvrtcVersion, "nvrtcVersion", int* major, int* minor)                      \
  F(nvrtcCreateProgram, "nvrtcCreateProgram", nvrtcProgram* program,           \
    const char* text, const char* name, int header_count,                      \
    const char* const* headers, const char* const* header_names)               \
  F(nvrtcDestroyProgram, "nvrtcDestroyProgram", nvrtcProgram* program)         \
  F(nvrtcCompileProgram, "nvrtcCompileProgram", nvrtcProgram program,          \
    int option_count, const char* const* options)                              \
  F(nvrtcGetProgramLogSize, "nvrtcGetProgramLogSize", nvrtcProgram program,    \
    size_t* size)                                                              \
  F(nvrtcGetProgramLog, "nvrtcGetProgramLog", nvrtcProgram program, char* log) \
  F(nvrtcGetCUBINSize, "nvrtcGetCUBINSize", nvrtcProgram program,              \
    size_t* size)                                                              \
  F(nvrtcGetCUBIN, "nvrtcGetCUBIN", nvrtcProgram program, char* cubin)

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_RUNTIME_CUDA_NVRTC_API_H_
