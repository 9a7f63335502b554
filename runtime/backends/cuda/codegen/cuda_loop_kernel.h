#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOP_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOP_KERNEL_H_

#include <optional>

#include "runtime/backends/cuda/codegen/kernel_program.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The kernel of a graph of kind kLoop: threads take groups of neighbouring
// elements of the outputs, several groups each. What lies side by side, as the
// outputs do, is read and written up to 16 bytes at a time, and the loads of
// all groups come before what is made of them. Where an input lies across the
// outputs it is the kernel of cuda_transpose_kernel.h. Nothing when there is
// no code for it.
std::optional<KernelProgram> BuildCudaLoopKernel(const KernelGraph& graph);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOP_KERNEL_H_
