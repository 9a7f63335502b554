#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_FAULT_GUARD_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_FAULT_GUARD_H_

#include <string>

#include "runtime/cuda/driver_api.h"

namespace lockstep::internal::cuda {

// Ends a kernel that faults, instead of the process.
class FaultGuard {
 public:
  struct Outcome {
    CUresult result = CUDA_SUCCESS;
    std::string why;
  };

  // Once per process; other threads' signals go to who handled them before.
  static void Install();

  // Calls `run` with `data`. When it makes a bad access, or calls Leave, its
  // frames are dropped as they are: it shall own nothing.
  static Outcome Run(void (*run)(void* data), void* data);

  // Ends the Run of this thread.
  [[noreturn]] static void Leave(const char* why);
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_FAULT_GUARD_H_
