#ifndef LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_QUEUE_H_
#define LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/devices/cuda/completions.h"
#include "runtime/devices/cuda/cuda_event.h"
#include "runtime/devices/cuda/pinned_staging.h"
#include "runtime/devices/device_queue.h"

namespace lockstep::internal {

class CudaDevice;

// The order of the host over one CUDA stream. An operation goes to the stream
// at once, on the calling thread, unless one before it needs the host: a call,
// an event that is no CUDA event yet, a large copy. Those, and what follows
// them, are held and served by a thread of the queue, which may block.
// Operations run one at a time and with no lock held. Thread-safe.
class CudaQueue final : public DeviceQueue {
 public:
  // For CudaDevice; `name` is that of its threads.
  static absl::StatusOr<std::unique_ptr<CudaQueue>> Create(CudaDevice& device,
                                                           std::string name);
  ~CudaQueue() override;

  CudaDevice& device() { return device_; }
  // Puts operations on the queue's stream, in the order of the queue: `work` is
  // called with the device's context current, at once on the calling thread
  // where nothing before it waits for the host, else later on the queue's
  // thread. Its failure goes to the scope, with the device's name; failures of
  // the driver come from device().Check. When the scope has failed it is not
  // called. A capture of the stream begins and ends within one `work`, in the
  // mode of this thread or relaxed: other threads ask for events meanwhile.
  void Enqueue(WorkScope& scope,
               std::function<absl::Status(const cuda::CudaDriver& driver,
                                          cuda::CUstream stream)>
                   work);

  bool is_inline() const override { return false; }
  void Copy(WorkScope& scope, DeviceAddress to, DeviceAddress from) override;
  void CopyRows(WorkScope& scope, int64_t rows, int64_t row_size,
                DeviceAddress to, int64_t to_pitch, DeviceAddress from,
                int64_t from_pitch) override;
  void CopyFromHost(WorkScope& scope, DeviceAddress to,
                    const std::byte* from) override;
  void CopyToHost(WorkScope& scope, std::byte* to, DeviceAddress from) override;
  void Fill(WorkScope& scope, DeviceAddress to, std::byte value) override;
  void CallHost(WorkScope& scope, std::function<absl::Status()> call) override;
  // Of an event of this platform the stream waits, and no thread.
  void Wait(WorkScope& scope, std::shared_ptr<DeviceEvent> event) override;
  std::shared_ptr<DeviceEvent> Record(WorkScope& scope) override;

  // As CudaDevice's.
  void BeginEnd();
  void FinishEnd();

 private:
  // Does its work and returns true; returns false, and has done nothing, when
  // it must be on the queue's thread and is not.
  using Operation = std::function<bool(bool is_on_thread)>;

  // Where the stream is: null, and why, when that cannot be said.
  struct Mark {
    cuda::CUevent event;
    absl::Status status;
  };

  CudaQueue(CudaDevice& device, std::string name, cuda::CUstream stream);

  // False when the queue has ended.
  bool Add(Operation operation);
  // An operation on the stream that a failed scope skips. Once the queue has
  // ended the scope fails.
  void AddWork(WorkScope& scope, std::function<absl::Status()> work);
  void AddOrFail(WorkScope& scope, Operation operation);
  void Serve();
  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return !is_running_ && (!held_.empty() || is_ending_);
  }
  bool IsNotRunning() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return !is_running_;
  }

  void StartThread() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // What follows is for the operation that runs.

  // Whether the scope and the device go on; the context is then current.
  bool GoesOn(WorkScope& scope);
  Mark MarkStream();
  // Tells `done` when the stream has come this far, and after what was added
  // before.
  void AddCompletion(Completions::Callback done);
  // Waits until the stream and what it brings to the host are over.
  absl::Status AwaitStream();
  absl::Status PutFromHost(DeviceAddress to, const std::byte* from);
  // The same in pieces, through pinned memory.
  absl::Status StageFromHost(DeviceAddress to, const std::byte* from);
  absl::Status StageToHost(WorkScope& scope, std::byte* to, DeviceAddress from,
                           bool is_small);
  // For `moment`; its outcome is that of `event`.
  void WaitOnStream(WorkScope& scope, const std::shared_ptr<CudaEvent>& moment,
                    const std::shared_ptr<DeviceEvent>& event);

  CudaDevice& device_;
  const std::string name_;
  const cuda::CUstream stream_;
  PinnedStaging staging_;
  Completions completions_;
  // Of the operation that runs.
  bool is_stream_busy_ = false;
  bool writes_to_host_ = false;  // what the host reads may be on its way

  absl::Mutex mutex_;
  std::deque<Operation> held_ ABSL_GUARDED_BY(mutex_);
  bool is_running_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  bool has_ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool has_thread_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_ ABSL_GUARDED_BY(mutex_);
};

// The queue as that of this platform; null: it is another's.
CudaQueue* AsCudaQueue(DeviceQueue& queue);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_QUEUE_H_
