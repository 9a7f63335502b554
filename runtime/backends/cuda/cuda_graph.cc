#include "runtime/backends/cuda/cuda_graph.h"

#include <utility>

#include "runtime/base/status.h"

namespace lockstep::internal {

CudaGraph::CudaGraph(CudaDevice& device)
    : owner_(device.shared_from_this()), device_(device) {}

CudaGraph::~CudaGraph() {
  // A device that is lost has lost its graphs too.
  if (exec_ == nullptr || !device_.MakeCurrent().ok()) return;
  // The driver keeps it until its launches are over.
  device_.driver().cuGraphExecDestroy(exec_);
}

absl::Status CudaGraph::Capture(cuda::CUstream stream,
                                const std::function<absl::Status()>& put) {
  const cuda::CudaDriver& driver = device_.driver();
  // Relaxed: other threads allocate and free meanwhile.
  RETURN_IF_ERROR(device_.Check(
      driver.cuStreamBeginCapture(stream, cuda::CU_STREAM_CAPTURE_MODE_RELAXED),
      "cuStreamBeginCapture"));
  absl::Status status = put();
  // After a failure too: until then the stream runs nothing.
  cuda::CUgraph graph = nullptr;
  status.Update(device_.Check(driver.cuStreamEndCapture(stream, &graph),
                              "cuStreamEndCapture"));
  if (status.ok()) status = Take(graph);
  if (graph != nullptr) driver.cuGraphDestroy(graph);
  return status;
}

absl::Status CudaGraph::Take(cuda::CUgraph graph) {
  const cuda::CudaDriver& driver = device_.driver();
  if (exec_ != nullptr) {
    cuda::CUgraphExecUpdateResultInfo info = {};
    const cuda::CUresult updated =
        driver.cuGraphExecUpdate(exec_, graph, &info);
    if (updated != cuda::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) {
      return device_.Check(updated, "cuGraphExecUpdate");
    }
    driver.cuGraphExecDestroy(std::exchange(exec_, nullptr));
  }
  return device_.Check(driver.cuGraphInstantiate(&exec_, graph, 0),
                       "cuGraphInstantiate");
}

absl::Status CudaGraph::Launch(cuda::CUstream stream) {
  return device_.Check(device_.driver().cuGraphLaunch(exec_, stream),
                       "cuGraphLaunch");
}

}  // namespace lockstep::internal
