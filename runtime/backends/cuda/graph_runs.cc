#include "runtime/backends/cuda/graph_runs.h"

#include <memory>
#include <utility>
#include <vector>

#include "runtime/backends/cuda/cuda_copy_thunk.h"
#include "runtime/backends/cuda/cuda_graph_thunk.h"
#include "runtime/backends/cuda/cuda_stream_thunk.h"
#include "runtime/executable/copy_thunk.h"

namespace lockstep::internal {
namespace {

// Null, and the thunk stays: it does more than that.
std::unique_ptr<CudaStreamThunk> TakeStreamThunk(
    std::unique_ptr<Thunk>& thunk) {
  if (auto* copy = dynamic_cast<const CopyThunk*>(thunk.get())) {
    return std::make_unique<CudaCopyThunk>(copy->location(), copy->source(),
                                           copy->target());
  }
  auto* on_stream = dynamic_cast<CudaStreamThunk*>(thunk.get());
  if (on_stream != nullptr) thunk.release();
  return std::unique_ptr<CudaStreamThunk>(on_stream);
}

}  // namespace

ThunkSequence GroupIntoGraphs(ThunkSequence sequence, bool has_graphs) {
  ThunkSequence result;
  std::vector<std::unique_ptr<CudaStreamThunk>> run;
  const auto end_run = [&] {
    if (run.size() >= kFewestThunksOfGraph) {
      result.Append(
          std::make_unique<CudaGraphThunk>(std::exchange(run, {}), has_graphs));
    }
    for (std::unique_ptr<CudaStreamThunk>& thunk : run) {
      result.Append(std::move(thunk));
    }
    run.clear();
  };
  for (std::unique_ptr<Thunk>& thunk : sequence.Release()) {
    if (auto on_stream = TakeStreamThunk(thunk)) {
      run.push_back(std::move(on_stream));
    } else {
      end_run();
      result.Append(std::move(thunk));
    }
  }
  end_run();
  return result;
}

}  // namespace lockstep::internal
