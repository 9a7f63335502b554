#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_KERNEL_PROGRAM_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_KERNEL_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// One launch of a function of a text. Any number of blocks computes it: they
// take its work in turns.
struct KernelLaunch {
  std::string function;
  int threads_x = 1;  // of a block
  int threads_y = 1;
  // As many blocks as have something to do.
  int64_t blocks = 1;
};

// What computes a graph, as CUDA C++: functions
//   extern "C" __global__ void f(pointer to each buffer of the graph, ...
//                                [, u8* scratch])
// that run one after the other.
struct KernelProgram {
  std::string text;
  std::vector<KernelLaunch> launches;
  // Of the memory that all launches share; 0: there is no such parameter.
  int64_t scratch_bytes = 0;
};

// Nothing when there is no code for the graph.
std::optional<KernelProgram> WriteKernel(const KernelGraph& graph);
// The scratch_bytes of its program. Follows from what is computed alone, not
// from which buffers share memory.
int64_t KernelScratchBytes(const KernelGraph& graph);

inline constexpr char kCudaKernelSymbol[] = "kernel";

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_KERNEL_PROGRAM_H_
