#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ARGUMENT_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ARGUMENT_KERNEL_H_

#include <cstdint>

#include "runtime/backends/cpu/codegen/kernel_function.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// Builds the function of a graph that MatchArgumentReduction knows: every row
// goes to accumulators that stand side by side, which are then combined. An
// iteration is a row. 0 for other graphs, and when it cannot be built; the
// module is then as it was.
int64_t BuildArgumentKernel(const KernelGraph& graph, const KernelSite& site);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ARGUMENT_KERNEL_H_
