#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_GRAPH_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_GRAPH_THUNK_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "runtime/backends/cuda/cuda_stream_thunk.h"
#include "runtime/backends/cuda/graph_turns.h"
#include "runtime/executable/thunk.h"
#include "runtime/executable/thunk_sequence.h"

namespace lockstep::internal {

// Thunks that follow each other, as one piece of work of a stream: put there
// one by one the first time on a device, and by a graph of that device from
// the second time on. A graph belongs to the addresses of the buffers; it is
// updated when they move (GraphTurns). What cannot be captured is put there
// one by one, and fails, if it does, as the thunk would.
//
// Launches of one device use its graphs in the order of its queue, and may
// overlap; those of several devices do not wait for each other.
class CudaGraphThunk : public Thunk {
 public:
  // Not empty. `has_graphs`: false puts them there one by one each time.
  CudaGraphThunk(std::vector<std::unique_ptr<CudaStreamThunk>> thunks,
                 bool has_graphs);
  ~CudaGraphThunk() override;

  std::vector<BufferUse> buffer_uses() const override { return {}; }
  std::vector<const ThunkSequence*> nested() const override {
    return {&sequence_};
  }
  // FAILED_PRECONDITION: a queue of another platform.
  absl::Status Execute(ExecuteContext& context) const override;

 private:
  class OnDevice;

  absl::Status PutOnStream(CudaDevice& device, cuda::CUstream stream,
                           const BufferTable& buffers) const;
  absl::Status PutOneByOne(CudaDevice& device, cuda::CUstream stream,
                           const BufferTable& buffers) const;
  // Of the allocations that the thunks use.
  GraphTurns::Addresses AddressesIn(const BufferTable& buffers) const;
  OnDevice& On(CudaDevice& device) const;

  const bool has_graphs_;
  std::vector<const CudaStreamThunk*> thunks_;  // of sequence_
  ThunkSequence sequence_;
  std::vector<int> allocations_;
  mutable absl::Mutex mutex_;
  // Entries stay.
  mutable std::map<const CudaDevice*, std::unique_ptr<OnDevice>> devices_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_GRAPH_THUNK_H_
