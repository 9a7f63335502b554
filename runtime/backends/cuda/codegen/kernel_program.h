#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_KERNEL_PROGRAM_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_KERNEL_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// One kernel as CUDA C++:
//   extern "C" __global__ void kernel(pointer to each buffer of the graph, ...)
// Any number of blocks computes it: they take its work in turns.
struct KernelProgram {
  std::string text;
  int threads_x = 1;  // of a block
  int threads_y = 1;
  // As many blocks as have something to do.
  int64_t blocks = 1;
};

// Nothing when there is no code for the graph.
std::optional<KernelProgram> WriteKernel(const KernelGraph& graph);

inline constexpr char kCudaKernelSymbol[] = "kernel";

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_KERNEL_PROGRAM_H_
