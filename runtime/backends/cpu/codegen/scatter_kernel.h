#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCATTER_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCATTER_KERNEL_H_

#include <cstdint>

#include "runtime/backends/cpu/codegen/kernel_function.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// Builds the function of a graph of kind kScatter: the updates in their order,
// each where its index says, or nowhere. Returns the number of its iterations,
// 0 when there is no code.
int64_t BuildScatterKernel(const KernelGraph& graph, const KernelSite& site);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCATTER_KERNEL_H_
