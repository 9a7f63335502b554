#include "runtime/backends/cpu/codegen/kernel_builders.h"

#include "runtime/backends/cpu/codegen/argument_kernel.h"
#include "runtime/backends/cpu/codegen/dot_kernel.h"
#include "runtime/backends/cpu/codegen/loop_kernel.h"
#include "runtime/backends/cpu/codegen/merge_kernel.h"
#include "runtime/backends/cpu/codegen/row_kernel.h"
#include "runtime/backends/cpu/codegen/scan_kernel.h"
#include "runtime/backends/cpu/codegen/scatter_kernel.h"
#include "runtime/backends/cpu/codegen/update_kernel.h"
#include "runtime/backends/cpu/codegen/update_slice_kernel.h"
#include "runtime/backends/cpu/codegen/window_kernel.h"

namespace lockstep::internal {
namespace {

int64_t BuildReduce(const KernelGraph& graph, const KernelSite& site) {
  if (const int64_t rows = BuildArgumentKernel(graph, site)) return rows;
  return BuildRowKernel(graph, site);
}

}  // namespace

int64_t BuildKernel(const KernelGraph& graph, llvm::Module& module) {
  switch (graph.kind) {
    case KernelGraph::Kind::kLoop:
      return BuildLoopKernel(graph, module);
    case KernelGraph::Kind::kReduce:
      return BuildReduce(graph, module);
    case KernelGraph::Kind::kMerge:
      return BuildMergeKernel(graph, module);
    case KernelGraph::Kind::kUpdate:
      return BuildUpdateKernel(graph, module);
    case KernelGraph::Kind::kWindow:
    case KernelGraph::Kind::kSelect:
      return BuildWindowKernel(graph, module);
    case KernelGraph::Kind::kScan:
      return BuildScanKernel(graph, module);
    case KernelGraph::Kind::kDot:
    case KernelGraph::Kind::kUpdateSlice:
    case KernelGraph::Kind::kScatter:
      return 0;
  }
  return 0;
}

int64_t BuildPart(const KernelGraph& graph, llvm::Module& module,
                  const std::string& symbol) {
  const KernelSite site(module, symbol);
  switch (graph.kind) {
    case KernelGraph::Kind::kLoop:
      return BuildLoopKernel(graph, site);
    case KernelGraph::Kind::kReduce:
      return BuildReduce(graph, site);
    case KernelGraph::Kind::kDot:
      return BuildDotKernel(graph, site);
    case KernelGraph::Kind::kUpdateSlice:
      return BuildUpdateSliceKernel(graph, site);
    case KernelGraph::Kind::kScatter:
      return BuildScatterKernel(graph, site);
    default:
      return 0;
  }
}

}  // namespace lockstep::internal
