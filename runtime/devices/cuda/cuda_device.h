#ifndef LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_DEVICE_H_
#define LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_DEVICE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/devices/cuda/cuda_event.h"
#include "runtime/devices/cuda/cuda_memory_pool.h"
#include "runtime/devices/cuda/cuda_queue.h"
#include "runtime/devices/local_device.h"

namespace lockstep::internal {

// A GPU, through its primary context. An error that ends the context (an
// address out of range, a kernel that failed) makes it lost: what runs and what
// comes fails with that first cause, for the rest of the process. Thread-safe.
class CudaDevice final : public LocalDevice {
 public:
  struct Options {
    int ordinal = 0;  // as the driver counts
    int index = 0;    // among the devices of the platform
    // Of the memory that is free when it begins: how much it may take.
    double memory_fraction = 0.9;
    // Whether other workers of the machine may use it too.
    bool is_shared = false;
    // False: every block is the driver's own (CudaMemoryPool).
    bool has_memory_pool = true;
  };

  // Errors of the driver, with the device's name.
  static absl::StatusOr<std::shared_ptr<CudaDevice>> Create(
      const cuda::CudaDriver& driver, const Options& options);
  ~CudaDevice() override;

  std::string name() const override { return name_; }
  const DeviceInfo& info() const override { return info_; }
  std::vector<std::pair<std::string, std::string>> details() const override {
    return details_;
  }
  absl::StatusOr<std::shared_ptr<DeviceMemory>> Allocate(int64_t size) override;
  std::shared_ptr<DeviceMemory> Adopt(
      std::byte* bytes, int64_t size, bool is_writable,
      std::shared_ptr<const void> owner) override {
    return nullptr;
  }
  Statistics statistics() const override;
  DeviceQueue& compute_queue() override { return *compute_; }
  DeviceQueue& transfer_queue() override { return *transfers_; }
  DeviceQueue& collective_queue() override { return *collectives_; }

  const cuda::CudaDriver& driver() const { return driver_; }
  cuda::CUcontext context() const { return context_; }
  int ordinal() const { return ordinal_; }
  // 90 for 9.0.
  int compute_capability() const { return compute_capability_; }
  int multiprocessors() const { return multiprocessors_; }

  // Makes the context the calling thread's.
  absl::Status MakeCurrent();
  // The outcome of `call` with the device's name. From one that ends the
  // context on, the device is lost.
  absl::Status Check(cuda::CUresult result, absl::string_view call);
  // OK, or why the device is lost.
  absl::Status status() const;
  CudaEventPool& events() { return *events_; }

  // Runs what is queued; what comes afterwards fails. Work may wait for that of
  // other queues: all of them begin to end before any is joined.
  void BeginEnd();
  void FinishEnd();

 private:
  class Block;

  CudaDevice(const cuda::CudaDriver& driver, const Options& options);
  // What Create does with the device that is there.
  absl::Status Open(const Options& options);
  absl::StatusOr<int> Attribute(cuda::CUdevice_attribute attribute);
  absl::Status FillIn(const Options& options);

  const cuda::CudaDriver& driver_;
  const std::string name_;
  const int ordinal_;
  cuda::CUdevice handle_ = 0;
  cuda::CUcontext context_ = nullptr;
  DeviceInfo info_;
  std::vector<std::pair<std::string, std::string>> details_;
  int compute_capability_ = 0;
  int multiprocessors_ = 0;
  std::atomic<bool> is_lost_ = false;
  mutable absl::Mutex mutex_;
  absl::Status lost_ ABSL_GUARDED_BY(mutex_);
  // What gives something back to the context, which ends after them.
  std::unique_ptr<CudaMemoryPool> memory_;
  std::unique_ptr<CudaEventPool> events_;
  std::unique_ptr<CudaQueue> compute_;
  std::unique_ptr<CudaQueue> transfers_;
  std::unique_ptr<CudaQueue> collectives_;
};

// The device as one of this platform; null: it is another's.
CudaDevice* AsCudaDevice(LocalDevice& device);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_DEVICE_H_
