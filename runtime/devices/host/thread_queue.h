#ifndef LOCKSTEP_RUNTIME_DEVICES_HOST_THREAD_QUEUE_H_
#define LOCKSTEP_RUNTIME_DEVICES_HOST_THREAD_QUEUE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/thread_pool.h"
#include "runtime/devices/device_queue.h"

namespace lockstep::internal {

// Runs operations on a thread of its own, which begins with the first of them.
// For memory that the host may access.
class ThreadQueue final : public DeviceQueue {
 public:
  // `name`: of the thread.
  explicit ThreadQueue(std::string name) : name_(std::move(name)) {}

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
  void Wait(WorkScope& scope, std::shared_ptr<DeviceEvent> event) override;
  std::shared_ptr<DeviceEvent> Record(WorkScope& scope) override;

  // Waits until what is queued has run.
  void AwaitIdle();

 private:
  void Add(std::function<void()> operation);

  const std::string name_;
  absl::Mutex mutex_;
  std::unique_ptr<ThreadPool> thread_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_HOST_THREAD_QUEUE_H_
