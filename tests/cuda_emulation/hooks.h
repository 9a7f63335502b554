#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_HOOKS_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_HOOKS_H_

#include <cstddef>
#include <cstdint>

#include "runtime/cuda/driver_api.h"

namespace lockstep::internal::cuda {

// F(member, result, "symbol", parameters...): what libcuda.so.1 exports beside
// the driver API. The first ones are for tests, the others for the libraries
// beside it.
//
// set: applies settings (README.md); false, and nothing, if one is not known.
// count: calls of a function so far, or of "kernel", "copy", "host".
// bytes: of a device that are allocated.
//
// fault: counts a call of a function; the error that it shall fail with, or 0.
// device: of the calling thread's context, or -1.
// content: where the bytes of device or pinned memory are, or null.
// enqueue: puts a call in a stream's order, or into the graph that is captured
// of it; `run` is called at its turn, each time, and `forget` when it cannot be
// called again.
#define LOCKSTEP_CUDA_EMULATION_HOOKS(F)                                    \
  F(set, bool, "lockstep_cuda_emulation_set", const char* settings)         \
  F(count, int64_t, "lockstep_cuda_emulation_count", const char* function)  \
  F(bytes, int64_t, "lockstep_cuda_emulation_bytes", int device)            \
  F(fault, int, "lockstep_cuda_emulation_fault", const char* function)      \
  F(device, int, "lockstep_cuda_emulation_device")                          \
  F(content, void*, "lockstep_cuda_emulation_content", CUdeviceptr address, \
    size_t bytes)                                                           \
  F(enqueue, CUresult, "lockstep_cuda_emulation_enqueue", CUstream stream,  \
    CUresult (*run)(void* data), void (*forget)(void* data), void* data)

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_HOOKS_H_
