#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_SCATTER_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_SCATTER_KERNEL_H_

#include <cstdint>
#include <optional>

#include "runtime/backends/cuda/codegen/kernel_program.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The kernels of a graph of kind kScatter. The first one finds the place of
// each window. In the second one blocks take windows: the first of those with
// one place combines all of them with what is there, in their order, so that
// the result is the one that the specification's order gives, to the last bit.
// Each window is compared with all others: for a million of them that takes a
// tenth of a second.
//
// Nothing for scatters of several results, for windows that can overlap without
// being at one place (more than one element along a dim that has an index), for
// more than 2^20 windows, and for types and bodies without code.
std::optional<KernelProgram> BuildCudaScatterKernel(const KernelGraph& graph);

// The scratch_bytes of that.
int64_t CudaScatterScratchBytes(const KernelGraph& graph);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_SCATTER_KERNEL_H_
