#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_MERGE_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_MERGE_KERNEL_H_

#include <cstdint>

#include "llvm/IR/Module.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// A MergeStep (runtime/kernels/merge_step.h).
int64_t BuildMergeKernel(const KernelGraph& graph, llvm::Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_MERGE_KERNEL_H_
