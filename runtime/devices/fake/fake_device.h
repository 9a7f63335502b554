#ifndef LOCKSTEP_RUNTIME_DEVICES_FAKE_FAKE_DEVICE_H_
#define LOCKSTEP_RUNTIME_DEVICES_FAKE_FAKE_DEVICE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/devices/fake/fake_queue.h"
#include "runtime/devices/local_device.h"

namespace lockstep::internal {

// A device that keeps programs honest without an accelerator: touching its
// memory from the host is a segmentation fault, work runs late and out of step
// with the host, and what can fail on an accelerator can be made to fail.
// Thread-safe.
class FakeDevice final : public LocalDevice {
 public:
  enum class Operation { kAllocate, kCopy, kCall };
  enum class Queue { kCompute, kTransfers, kCollectives };

  // `memory_bytes`: how much it has.
  FakeDevice(int ordinal, int64_t memory_bytes);
  ~FakeDevice() override;

  std::string name() const override { return name_; }
  const DeviceInfo& info() const override { return info_; }
  absl::StatusOr<std::shared_ptr<DeviceMemory>> Allocate(int64_t size) override;
  std::shared_ptr<DeviceMemory> Adopt(
      std::byte* bytes, int64_t size, bool is_writable,
      std::shared_ptr<const void> owner) override {
    return nullptr;
  }
  Statistics statistics() const override;
  DeviceQueue& compute_queue() override { return compute_; }
  DeviceQueue& transfer_queue() override { return transfers_; }
  DeviceQueue& collective_queue() override { return collectives_; }

  // Makes the n-th operation of its kind from now on fail; n from 1. Fills
  // count as copies.
  void FailNth(Operation operation, int64_t n, absl::Status failure);
  // Nothing that is queued runs before Release; of all queues, or of one.
  void Hold();
  void Hold(Queue queue);
  void Release();
  void Release(Queue queue);
  // Waits until something is queued that has not begun, which a held queue
  // keeps.
  void AwaitQueued(Queue queue);
  // Runs what is queued; what comes afterwards fails. Work may wait for that of
  // other queues: all of them begin to end before any is joined.
  void BeginEnd();
  void FinishEnd();

 private:
  friend class FakeQueue;
  class Block;
  struct Fault {
    int64_t left = 0;  // 0: none
    absl::Status failure;
  };
  struct Mapping {
    int64_t size = 0;
    std::unique_ptr<std::byte[]> content;
  };

  FakeQueue& QueueOf(Queue queue);
  // The failure when this operation is the one that fails.
  absl::Status Count(Operation operation);
  // Where the content of `address` is. INTERNAL: no memory is there any more.
  absl::StatusOr<std::byte*> Find(DeviceAddress address);
  void Free(const DeviceAddress& address);

  const std::string name_;
  DeviceInfo info_;
  mutable absl::Mutex mutex_;
  std::map<std::byte*, Mapping> mappings_ ABSL_GUARDED_BY(mutex_);
  std::map<Operation, Fault> faults_ ABSL_GUARDED_BY(mutex_);
  Statistics statistics_ ABSL_GUARDED_BY(mutex_);
  // Last: what is queued uses the members above.
  FakeQueue compute_;
  FakeQueue transfers_;
  FakeQueue collectives_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_FAKE_FAKE_DEVICE_H_
