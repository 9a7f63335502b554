#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ROW_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ROW_KERNEL_H_

#include <cstdint>

#include "runtime/backends/cpu/codegen/kernel_function.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// Builds the function of a graph of kind kReduce. An iteration computes one row
// - all that has the same indices in the dims that are not reduced - in as many
// passes over it as reductions follow from each other, and a last one for
// outputs of full shape. Returns the number of iterations, 0 when the graph is
// of another form.
int64_t BuildRowKernel(const KernelGraph& graph, const KernelSite& site);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ROW_KERNEL_H_
