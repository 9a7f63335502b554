#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_SLICE_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_SLICE_KERNEL_H_

#include <cstdint>

#include "runtime/backends/cpu/codegen/kernel_function.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// Builds the function of a graph of kind kUpdateSlice: the update, element by
// element. Returns the number of its iterations, 0 when there is no code.
int64_t BuildUpdateSliceKernel(const KernelGraph& graph,
                               const KernelSite& site);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_SLICE_KERNEL_H_
