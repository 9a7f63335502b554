#include "runtime/backends/cuda/cuda_kernel.h"

#include <algorithm>

#include "runtime/base/status.h"
#include "runtime/cuda/cuda_driver.h"

namespace lockstep::internal {

CudaKernel::~CudaKernel() {
  absl::MutexLock lock(&mutex_);
  for (auto& [device, module] : modules_) {
    // A device that is lost has lost its modules too.
    if (!module.device->MakeCurrent().ok()) continue;
    module.device->driver().cuModuleUnload(module.module);
  }
}

absl::StatusOr<CudaKernel::Loaded> CudaKernel::LoadOn(
    CudaDevice& device) const {
  absl::MutexLock lock(&mutex_);
  auto it = modules_.find(&device);
  if (it != modules_.end()) return it->second.loaded;
  const cuda::CudaDriver& driver = device.driver();
  Module module = {device.shared_from_this(), &device, nullptr, {}};
  RETURN_IF_ERROR(
      device.Check(driver.cuModuleLoadData(&module.module, code_.data()),
                   "cuModuleLoadData"));
  RETURN_IF_ERROR(
      device.Check(driver.cuModuleGetFunction(&module.loaded.function,
                                              module.module, kCudaKernelSymbol),
                   "cuModuleGetFunction"));
  int resident = 0;
  RETURN_IF_ERROR(
      device.Check(driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                       &resident, module.loaded.function,
                       program_.threads_x * program_.threads_y, 0),
                   "cuOccupancyMaxActiveBlocksPerMultiprocessor"));
  module.loaded.blocks = static_cast<unsigned>(std::clamp<int64_t>(
      program_.blocks, 1, std::max(1, resident * device.multiprocessors())));
  return modules_.emplace(&device, std::move(module)).first->second.loaded;
}

}  // namespace lockstep::internal
