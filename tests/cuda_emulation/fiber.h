#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_FIBER_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_FIBER_H_

#include <cstddef>

#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace lockstep::internal::cuda {

// A place where a thread of the host left off. Only that thread comes back.
class Fiber {
 public:
  // The next SwitchTo calls `entry`, which never returns, on the stack that
  // ends at `stack` + `bytes`.
  void Prepare(void* stack, size_t bytes, void (*entry)());

  // Leaves off here, goes on in `to`.
  void SwitchTo(Fiber& to);

 private:
#ifdef __x86_64__
  void* stack_pointer_ = nullptr;
#else
  ucontext_t context_;
#endif
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_FIBER_H_
