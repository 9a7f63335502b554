#ifndef LOCKSTEP_RUNTIME_DEVICES_FAKE_FAKE_QUEUE_H_
#define LOCKSTEP_RUNTIME_DEVICES_FAKE_FAKE_QUEUE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "runtime/devices/device_queue.h"

namespace lockstep::internal {

class FakeDevice;

// Runs operations on a thread of its own, now and then after a pause.
class FakeQueue final : public DeviceQueue {
 public:
  // `seed` decides when it pauses.
  FakeQueue(FakeDevice& device, uint64_t seed);
  ~FakeQueue() override;

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

  // As FakeDevice's.
  void SetHeld(bool is_held);
  void AwaitQueued();
  void BeginEnd();
  void FinishEnd();

 private:
  // False when the queue has ended.
  bool Add(std::function<void()> operation);
  // When the queue has ended, the scope fails.
  void AddOrFail(WorkScope& scope, std::function<void()> operation);
  // An operation that may fail and that a failed scope skips.
  void AddWork(WorkScope& scope, std::function<absl::Status()> work);
  void Run();
  bool HasQueued() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return !operations_.empty();
  }
  bool HasWork() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return (!operations_.empty() && !is_held_) || is_ending_;
  }

  FakeDevice& device_;
  std::mt19937_64 random_;  // of thread_
  absl::Mutex mutex_;
  std::deque<std::function<void()>> operations_ ABSL_GUARDED_BY(mutex_);
  bool is_held_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  bool has_ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_FAKE_FAKE_QUEUE_H_
