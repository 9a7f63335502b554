#include <mutex>

#include "tests/cuda_emulation/driver_call.h"

namespace lockstep::internal::cuda {
namespace {

// What an executable graph's handle stands for.
struct ExecutableGraph {
  std::mutex mutex;
  std::shared_ptr<const Graph> graph;
};

using ExecutableGraphs = HandleTable<CUgraphExec, ExecutableGraph>;

}  // namespace

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuStreamBeginCapture", &context)) return error;
  // Not of the context's own stream.
  if (stream == nullptr) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  std::shared_ptr<Stream> found = Streams::Get().Find(stream);
  if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return Captures::Get().Begin(found, mode);
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  std::shared_ptr<Context> context;
  CUresult error = Enter("cuStreamEndCapture", &context);
  *graph = nullptr;
  std::shared_ptr<Stream> found = Streams::Get().Find(stream);
  if (found == nullptr) return error ? error : CUDA_ERROR_INVALID_HANDLE;
  // Also where the call fails: the capture is over.
  std::shared_ptr<Graph> captured;
  CUresult ended = Captures::Get().End(found, &captured);
  if (error == CUDA_SUCCESS) error = ended;
  if (error == CUDA_SUCCESS) *graph = Graphs::Get().Add(std::move(captured));
  return error;
}

CUresult cuGraphInstantiate(CUgraphExec* exec, CUgraph graph,
                            unsigned long long flags) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuGraphInstantiate", &context)) return error;
  std::shared_ptr<Graph> found = Graphs::Get().Find(graph);
  if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto created = std::make_shared<ExecutableGraph>();
  created->graph = std::make_shared<const Graph>(*found);
  *exec = ExecutableGraphs::Get().Add(std::move(created));
  return CUDA_SUCCESS;
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph,
                           CUgraphExecUpdateResultInfo* info) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuGraphExecUpdate", &context)) return error;
  std::shared_ptr<ExecutableGraph> executable =
      ExecutableGraphs::Get().Find(exec);
  std::shared_ptr<Graph> found = Graphs::Get().Find(graph);
  if (executable == nullptr || found == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::lock_guard lock(executable->mutex);
  constexpr int kTopologyChanged = 2;
  bool fits = found->HasTopologyOf(*executable->graph);
  *info = {.result = fits ? 0 : kTopologyChanged,
           .errorNode = nullptr,
           .errorFromNode = nullptr};
  if (!fits) return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  executable->graph = std::make_shared<const Graph>(*found);
  return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuGraphLaunch", &context)) return error;
  std::shared_ptr<ExecutableGraph> executable =
      ExecutableGraphs::Get().Find(exec);
  if (executable == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<const Graph> graph;
  {
    std::lock_guard lock(executable->mutex);
    graph = executable->graph;
  }
  return AddOperation(*context, stream,
                      {.kind = Operation::Kind::kGraph,
                       .run = [graph] { return RunGraph(*graph); }});
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
  std::shared_ptr<Context> context;
  CUresult error = Enter("cuGraphExecDestroy", &context);
  if (context == nullptr) return error;
  bool existed = ExecutableGraphs::Get().Remove(exec) != nullptr;
  return existed ? error : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphDestroy(CUgraph graph) {
  std::shared_ptr<Context> context;
  CUresult error = Enter("cuGraphDestroy", &context);
  if (context == nullptr) return error;
  bool existed = Graphs::Get().Remove(graph) != nullptr;
  return existed ? error : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace lockstep::internal::cuda
