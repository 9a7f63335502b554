#ifndef LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_PLATFORM_H_
#define LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_PLATFORM_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/devices/cuda/cuda_device.h"
#include "runtime/devices/platform.h"

namespace lockstep::internal {

// How many devices the platform "cuda" finds. Errors as CudaPlatform::Create's.
absl::StatusOr<int> CudaDeviceCount();

// Whether workers of one machine may use the same GPU: LOCKSTEP_CUDA_SHARED=1.
bool SharesGpus();

// The platform "cuda": GPUs of this machine, all of them or those that are
// asked for. As a registered platform it takes LOCKSTEP_CUDA_MEMORY_FRACTION,
// LOCKSTEP_CUDA_SHARED=1, LOCKSTEP_CUDA_MEMORY_POOL=0 and
// LOCKSTEP_CUDA_DEVICES_PER_GPU for its options.
class CudaPlatform final : public Platform {
 public:
  struct Options {
    // Which ones, as the driver counts; empty: all.
    std::vector<int> ordinals = {};
    // Above 1, for tests: each GPU is that many devices. They are counted once
    // over all GPUs, then once more.
    int devices_per_gpu = 1;
    // How much of the memory that is free at the beginning it may take.
    double memory_fraction = 0.9;
    // Whether other workers of the machine may use the devices too.
    bool is_shared = false;
    // False: every block is the driver's own (CudaMemoryPool).
    bool has_memory_pool = true;
  };

  // UNIMPLEMENTED: there is no driver. FAILED_PRECONDITION: it does not work,
  // or has no devices. INVALID_ARGUMENT: an ordinal that does not exist.
  static absl::StatusOr<std::unique_ptr<CudaPlatform>> Create(
      const Options& options);
  ~CudaPlatform() override;

  std::string name() const override { return "cuda"; }
  const std::vector<std::shared_ptr<LocalDevice>>& devices() const override {
    return devices_;
  }
  bool devices_share_memory() const override { return false; }
  bool has_distinct_devices() const override { return has_distinct_devices_; }

 private:
  CudaPlatform() = default;

  bool has_distinct_devices_ = true;
  std::vector<std::shared_ptr<LocalDevice>> devices_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_PLATFORM_H_
