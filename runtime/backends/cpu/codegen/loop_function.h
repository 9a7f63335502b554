#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LOOP_FUNCTION_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LOOP_FUNCTION_H_

#include <cstdint>

#include "llvm/IR/Module.h"
#include "runtime/kernels/loop_program.h"

namespace lockstep::internal {

// Builds the function of a loop: its kernels inlined into one function with the
// control flow, buffers of its own on the stack, from where LLVM takes them
// into registers. It asks whether to go on after about a million scalar
// operations. Returns the number of its iterations as a kernel, which is 1; 0
// when a kernel has no code.
int64_t BuildLoopFunction(const LoopProgram& loop, llvm::Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LOOP_FUNCTION_H_
