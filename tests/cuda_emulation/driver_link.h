#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_DRIVER_LINK_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_DRIVER_LINK_H_

#include "tests/cuda_emulation/hooks.h"

namespace lockstep::internal::cuda {

// The hooks of the libcuda.so.1 that lies beside this library. All are null
// when there is none.
class DriverLink {
 public:
  static const DriverLink& Get();

  // Counts a call: the error that the settings want for it, or 0.
  int Count(const char* function) const {
    return fault == nullptr ? 0 : fault(function);
  }

#define LOCKSTEP_MEMBER(member, result, symbol, ...) \
  result (*member)(__VA_ARGS__) = nullptr;
  LOCKSTEP_CUDA_EMULATION_HOOKS(LOCKSTEP_MEMBER)
#undef LOCKSTEP_MEMBER

 private:
  DriverLink();
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_DRIVER_LINK_H_
