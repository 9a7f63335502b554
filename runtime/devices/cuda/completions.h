#ifndef LOCKSTEP_RUNTIME_DEVICES_CUDA_COMPLETIONS_H_
#define LOCKSTEP_RUNTIME_DEVICES_CUDA_COMPLETIONS_H_

#include <deque>
#include <functional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "runtime/cuda/driver_api.h"

namespace lockstep::internal {

class CudaDevice;

// Tells the host how far a stream has come: callbacks, one after the other in
// the order of the stream, on a thread of its own. Thread-safe.
class Completions {
 public:
  // OK, or why the stream will never come that far.
  using Callback = std::function<void(const absl::Status&)>;

  // `name` is that of the thread.
  Completions(CudaDevice& device, std::string name);
  ~Completions() { FinishEnd(); }

  // Runs `done` when `event` is over, and then gives it back to the device's
  // pool. Null: after those before it, with `status`. A callback may wait for
  // events of other queues that were recorded before this.
  void Add(cuda::CUevent event, const absl::Status& status, Callback done);
  // Runs what is there; nothing comes any more.
  void FinishEnd();

 private:
  struct Entry {
    cuda::CUevent event;
    absl::Status status;
    Callback done;
  };

  void Run();
  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return !entries_.empty() || is_ending_;
  }

  CudaDevice& device_;
  const std::string name_;
  absl::Mutex mutex_;
  std::deque<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_CUDA_COMPLETIONS_H_
