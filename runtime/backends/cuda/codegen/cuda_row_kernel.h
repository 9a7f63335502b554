#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_KERNEL_H_

#include <cstdint>
#include <optional>

#include "runtime/backends/cuda/codegen/kernel_program.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The kernel of a graph of kind kReduce. A row is what becomes one element of
// the reductions; it is walked through once for all reductions that follow from
// equally many others, and read once where a thread's part of it fits into
// registers. cuda_row_plan.h says who takes which rows; few long rows are cut
// into slices, whose results a second launch combines. Values are combined in
// an order that follows from sizes only: neighbours of the walk first where the
// body need not be commutative. Nothing when there is no code for it.
std::optional<KernelProgram> BuildCudaRowKernel(const KernelGraph& graph);

// The scratch memory of that: the results of slices.
int64_t CudaRowKernelScratchBytes(const KernelGraph& graph);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_KERNEL_H_
