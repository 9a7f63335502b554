#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_GRAPH_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_GRAPH_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/devices/cuda/cuda_device.h"

namespace lockstep::internal {

// Work of a stream as an executable graph of one device, which it keeps. What
// it launched runs as it was then, also when it changes or goes. Used by one
// thread at a time; the device's context is current, but in the destructor.
// Errors are the driver's, with the device's name.
class CudaGraph {
 public:
  explicit CudaGraph(CudaDevice& device);
  ~CudaGraph();
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;

  // Takes what `put` puts on the stream, which is not run: from now on that is
  // what Launch runs. What is there already is updated, where the driver can do
  // that, else replaced. After a failure it must not be launched.
  absl::Status Capture(cuda::CUstream stream,
                       const std::function<absl::Status()>& put);
  absl::Status Launch(cuda::CUstream stream);

 private:
  absl::Status Take(cuda::CUgraph graph);

  const std::shared_ptr<LocalDevice> owner_;
  CudaDevice& device_;
  cuda::CUgraphExec exec_ = nullptr;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_GRAPH_H_
