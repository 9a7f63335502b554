#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_KERNEL_H_

#include <cstdint>

#include "llvm/IR/Module.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// An UpdateStep (runtime/kernels/update_step.h), in its variants.
int64_t BuildUpdateKernel(const KernelGraph& graph, llvm::Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_KERNEL_H_
