#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_UPDATE_SLICE_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_UPDATE_SLICE_KERNEL_H_

#include <optional>

#include "runtime/backends/cuda/codegen/kernel_program.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The kernel of a graph of kind kUpdateSlice: threads take elements of the
// update in turns. Nothing for types without code.
std::optional<KernelProgram> BuildCudaUpdateSliceKernel(
    const KernelGraph& graph);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_UPDATE_SLICE_KERNEL_H_
