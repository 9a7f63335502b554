#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LOOP_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LOOP_KERNEL_H_

#include <cstdint>

#include "runtime/backends/cpu/codegen/kernel_function.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// Builds the function of a graph of kind kLoop: a loop nest over the elements
// of the outputs. Returns the number of its iterations, 0 when it cannot be
// built.
int64_t BuildLoopKernel(const KernelGraph& graph, const KernelSite& site);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LOOP_KERNEL_H_
