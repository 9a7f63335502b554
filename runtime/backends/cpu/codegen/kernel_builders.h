#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_BUILDERS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_BUILDERS_H_

#include <cstdint>
#include <string>

#include "llvm/IR/Module.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// Builds the function of a graph in `module`. Returns the number of its
// iterations, 0 when there is no code for the graph.
int64_t BuildKernel(const KernelGraph& graph, llvm::Module& module);

// The same, as a part of another function (KernelSite). There is none for the
// steps of thunks.
int64_t BuildPart(const KernelGraph& graph, llvm::Module& module,
                  const std::string& symbol);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_BUILDERS_H_
