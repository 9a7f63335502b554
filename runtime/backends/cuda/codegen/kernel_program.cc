#include "runtime/backends/cuda/codegen/kernel_program.h"

#include "runtime/backends/cuda/codegen/cuda_dot_kernel.h"
#include "runtime/backends/cuda/codegen/cuda_loop_kernel.h"
#include "runtime/backends/cuda/codegen/cuda_row_kernel.h"
#include "runtime/backends/cuda/codegen/cuda_scatter_kernel.h"
#include "runtime/backends/cuda/codegen/cuda_update_slice_kernel.h"

namespace lockstep::internal {

std::optional<KernelProgram> WriteKernel(const KernelGraph& graph) {
  switch (graph.kind) {
    case KernelGraph::Kind::kLoop:
      return BuildCudaLoopKernel(graph);
    case KernelGraph::Kind::kReduce:
      return BuildCudaRowKernel(graph);
    case KernelGraph::Kind::kDot:
      return BuildCudaDotKernel(graph);
    case KernelGraph::Kind::kUpdateSlice:
      return BuildCudaUpdateSliceKernel(graph);
    case KernelGraph::Kind::kScatter:
      return BuildCudaScatterKernel(graph);
    default:
      return std::nullopt;
  }
}

int64_t KernelScratchBytes(const KernelGraph& graph) {
  switch (graph.kind) {
    case KernelGraph::Kind::kReduce:
      return CudaRowKernelScratchBytes(graph);
    case KernelGraph::Kind::kScatter:
      return CudaScatterScratchBytes(graph);
    default:
      return 0;
  }
}

}  // namespace lockstep::internal
