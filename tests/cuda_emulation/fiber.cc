#include "tests/cuda_emulation/fiber.h"

#include <cstdint>

#ifdef __x86_64__

// Of what a call preserves, all but the floating-point modes, which no kernel
// changes.
extern "C" void lockstep_switch_fiber(void** from, void* to);
__asm__(R"(
.text
.hidden lockstep_switch_fiber
.globl lockstep_switch_fiber
.type lockstep_switch_fiber, @function
lockstep_switch_fiber:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size lockstep_switch_fiber, .-lockstep_switch_fiber
)");

namespace lockstep::internal::cuda {

void Fiber::Prepare(void* stack, size_t bytes, void (*entry)()) {
  constexpr int kSaved = 6;
  uintptr_t end = (reinterpret_cast<uintptr_t>(stack) + bytes) & ~uintptr_t{15};
  auto* top = reinterpret_cast<void**>(end);
  *--top = nullptr;  // Where `entry` would return to.
  *--top = reinterpret_cast<void*>(entry);
  for (int i = 0; i < kSaved; ++i) *--top = nullptr;
  stack_pointer_ = top;
}

void Fiber::SwitchTo(Fiber& to) {
  lockstep_switch_fiber(&stack_pointer_, to.stack_pointer_);
}

}  // namespace lockstep::internal::cuda

#else

namespace lockstep::internal::cuda {

void Fiber::Prepare(void* stack, size_t bytes, void (*entry)()) {
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack;
  context_.uc_stack.ss_size = bytes;
  context_.uc_link = nullptr;
  makecontext(&context_, entry, 0);
}

void Fiber::SwitchTo(Fiber& to) { swapcontext(&context_, &to.context_); }

}  // namespace lockstep::internal::cuda

#endif
