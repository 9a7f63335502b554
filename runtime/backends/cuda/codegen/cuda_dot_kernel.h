#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_DOT_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_DOT_KERNEL_H_

#include <optional>

#include "runtime/backends/cuda/codegen/kernel_program.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The kernel of a graph of kind kDot: any layout and type, a thread for each
// element of the result. For what no library has; f16 and bf16 are summed in
// f32. Nothing for types without code.
std::optional<KernelProgram> BuildCudaDotKernel(const KernelGraph& graph);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_DOT_KERNEL_H_
