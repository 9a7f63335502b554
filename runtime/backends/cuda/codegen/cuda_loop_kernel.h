#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOP_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOP_KERNEL_H_

#include <optional>

#include "runtime/backends/cuda/codegen/kernel_program.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The kernel of a graph of kind kLoop: threads take elements of the outputs in
// turns, several neighbours at once where all that lies at the element's own
// place can be read and written 16 bytes at a time. Nothing when there is no
// code for it.
std::optional<KernelProgram> BuildCudaLoopKernel(const KernelGraph& graph);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOP_KERNEL_H_
