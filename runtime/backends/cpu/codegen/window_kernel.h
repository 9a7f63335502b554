#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WINDOW_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WINDOW_KERNEL_H_

#include <cstdint>

#include "llvm/IR/Module.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// A WindowStep, in its variants, or a SelectStep
// (runtime/kernels/window_step.h).
int64_t BuildWindowKernel(const KernelGraph& graph, llvm::Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WINDOW_KERNEL_H_
