#include "runtime/backends/cuda/cuda_graph_thunk.h"

#include <array>
#include <functional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/cuda_graph.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

std::string PlaceOf(
    const std::vector<std::unique_ptr<CudaStreamThunk>>& thunks) {
  return absl::StrCat(thunks.front()->location(), " to ",
                      thunks.back()->location());
}

}  // namespace

// The graphs of one device, whose queue runs one operation at a time.
class CudaGraphThunk::OnDevice {
 public:
  explicit OnDevice(CudaDevice& device) : device_(device) {
    for (auto& graph : graphs_) graph = std::make_unique<CudaGraph>(device);
  }

  // `put`: what puts the work on the stream.
  absl::Status Run(cuda::CUstream stream, const std::string& place,
                   const GraphTurns::Addresses& addresses,
                   const std::function<absl::Status()>& put) {
    using What = GraphTurns::Turn::What;
    absl::MutexLock lock(&mutex_);
    if (!has_been_put_) {
      const absl::Status status = put();
      has_been_put_ = status.ok();
      return status;
    }
    const GraphTurns::Turn turn = turns_.Next(addresses);
    if (turn.what == What::kPut) return put();
    CudaGraph& graph = *graphs_[turn.graph];
    if (turn.what == What::kCapture) {
      const absl::Status captured = graph.Capture(stream, put);
      if (!captured.ok()) {
        RETURN_IF_ERROR(device_.status());
        turns_.SetFailed(turn.graph);
        LogInfo(
            absl::StrCat(place, ": not run as a graph: ", captured.message()));
        // Nothing has run: if it was not the capture that is to blame, this
        // fails where the thunk would.
        return put();
      }
    }
    return Annotate(graph.Launch(stream), place);
  }

 private:
  CudaDevice& device_;
  absl::Mutex mutex_;
  // All that the thunks have to load is there.
  bool has_been_put_ ABSL_GUARDED_BY(mutex_) = false;
  GraphTurns turns_ ABSL_GUARDED_BY(mutex_);
  std::array<std::unique_ptr<CudaGraph>, GraphTurns::kGraphs> graphs_
      ABSL_GUARDED_BY(mutex_);
};

CudaGraphThunk::CudaGraphThunk(
    std::vector<std::unique_ptr<CudaStreamThunk>> thunks, bool has_graphs)
    : Thunk("graph", PlaceOf(thunks)), has_graphs_(has_graphs) {
  std::set<int> allocations;
  for (std::unique_ptr<CudaStreamThunk>& thunk : thunks) {
    for (const BufferUse& use : thunk->buffer_uses()) {
      allocations.insert(use.slice.allocation);
    }
    thunks_.push_back(thunk.get());
    sequence_.Append(std::move(thunk));
  }
  allocations_.assign(allocations.begin(), allocations.end());
}

CudaGraphThunk::~CudaGraphThunk() = default;

absl::Status CudaGraphThunk::Execute(ExecuteContext& context) const {
  ASSIGN_OR_RETURN(CudaQueue* const queue, CudaQueueFor(*this, context));
  // The context is there until the queue has come through.
  queue->Enqueue(
      *context.scope,
      [this, queue, &context](const cuda::CudaDriver&, cuda::CUstream stream) {
        return PutOnStream(queue->device(), stream, context.buffers);
      });
  return absl::OkStatus();
}

absl::Status CudaGraphThunk::PutOnStream(CudaDevice& device,
                                         cuda::CUstream stream,
                                         const BufferTable& buffers) const {
  if (!has_graphs_) return PutOneByOne(device, stream, buffers);
  return On(device).Run(stream, location(), AddressesIn(buffers),
                        [&] { return PutOneByOne(device, stream, buffers); });
}

absl::Status CudaGraphThunk::PutOneByOne(CudaDevice& device,
                                         cuda::CUstream stream,
                                         const BufferTable& buffers) const {
  for (const CudaStreamThunk* thunk : thunks_) {
    RETURN_IF_ERROR(thunk->PutOnStream(device, stream, buffers));
  }
  return absl::OkStatus();
}

GraphTurns::Addresses CudaGraphThunk::AddressesIn(
    const BufferTable& buffers) const {
  GraphTurns::Addresses addresses;
  for (int allocation : allocations_) {
    addresses.push_back(reinterpret_cast<uintptr_t>(
        buffers.addresses()[allocation].device_bytes()));
  }
  return addresses;
}

CudaGraphThunk::OnDevice& CudaGraphThunk::On(CudaDevice& device) const {
  absl::MutexLock lock(&mutex_);
  std::unique_ptr<OnDevice>& on_device = devices_[&device];
  if (on_device == nullptr) on_device = std::make_unique<OnDevice>(device);
  return *on_device;
}

}  // namespace lockstep::internal
