#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_TRANSPOSE_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_TRANSPOSE_KERNEL_H_

#include <optional>

#include "runtime/backends/cuda/codegen/cuda_loop_work.h"
#include "runtime/backends/cuda/codegen/kernel_program.h"

namespace lockstep::internal {

// The kernel of work that reads an input across the outputs: neighbours of an
// output lie far from each other in it, and those of another loop side by side.
// Where both loops are whole numbers of packs, a thread takes a square of
// elements: packs of the input as its rows, packs of the outputs as its
// columns. Its threads lie so that every eight of them cover whole sectors of
// both. Else the input goes through a tile of shared memory, element by
// element. Nothing where no input lies across, or little of it.
std::optional<KernelProgram> BuildCudaTransposeKernel(const CudaLoopWork& work);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_TRANSPOSE_KERNEL_H_
