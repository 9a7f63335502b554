#ifndef LOCKSTEP_RUNTIME_DEVICES_HOST_HOST_DEVICE_H_
#define LOCKSTEP_RUNTIME_DEVICES_HOST_HOST_DEVICE_H_

#include <atomic>
#include <memory>
#include <string>

#include "runtime/devices/host/host_memory_pool.h"
#include "runtime/devices/host/inline_queue.h"
#include "runtime/devices/host/thread_queue.h"
#include "runtime/devices/local_device.h"

namespace lockstep::internal {

// A CPU device: memory of this process, work on the thread that asks for it.
class HostDevice final : public LocalDevice {
 public:
  // `pool`: of all devices of the process, which have one memory.
  HostDevice(int ordinal, DeviceInfo info,
             std::shared_ptr<HostMemoryPool> pool);

  std::string name() const override { return name_; }
  const DeviceInfo& info() const override { return info_; }
  absl::StatusOr<std::shared_ptr<DeviceMemory>> Allocate(int64_t size) override;
  std::shared_ptr<DeviceMemory> Adopt(
      std::byte* bytes, int64_t size, bool is_writable,
      std::shared_ptr<const void> owner) override;
  Statistics statistics() const override;
  DeviceQueue& compute_queue() override { return queue_; }
  DeviceQueue& transfer_queue() override { return queue_; }
  DeviceQueue& collective_queue() override { return collectives_; }

  // Waits until what is queued has run.
  void AwaitIdle() { collectives_.AwaitIdle(); }

 private:
  class Block;

  const std::string name_;
  const DeviceInfo info_;
  InlineQueue queue_;
  const std::shared_ptr<HostMemoryPool> pool_;
  std::atomic<int64_t> in_use_{0};
  std::atomic<int64_t> peak_{0};
  std::atomic<int64_t> allocations_{0};
  ThreadQueue collectives_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_HOST_HOST_DEVICE_H_
