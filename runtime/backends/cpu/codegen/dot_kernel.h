#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_DOT_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_DOT_KERNEL_H_

#include <cstdint>

#include "runtime/backends/cpu/codegen/kernel_function.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// Builds the function of a graph of kind kDot: products of small matrices, row
// by row. Floats are added in an order that follows from the shapes, f16 and
// bf16 in f32. Returns the number of its iterations, 0 when there is no code.
int64_t BuildDotKernel(const KernelGraph& graph, const KernelSite& site);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_DOT_KERNEL_H_
