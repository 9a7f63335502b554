#include "runtime/backends/cuda/codegen/kernel_program.h"

#include "runtime/backends/cuda/codegen/cuda_loop_kernel.h"
#include "runtime/backends/cuda/codegen/cuda_row_kernel.h"

namespace lockstep::internal {

std::optional<KernelProgram> WriteKernel(const KernelGraph& graph) {
  switch (graph.kind) {
    case KernelGraph::Kind::kLoop:
      return BuildCudaLoopKernel(graph);
    case KernelGraph::Kind::kReduce:
      return BuildCudaRowKernel(graph);
    default:
      return std::nullopt;
  }
}

}  // namespace lockstep::internal
