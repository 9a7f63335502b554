#include "runtime/backends/cuda/cuda_kernel.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"
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

absl::Status CudaKernel::Launch(
    CudaDevice& device, cuda::CUstream stream,
    absl::Span<const cuda::CUdeviceptr> addresses) const {
  ASSIGN_OR_RETURN(const Loaded loaded, LoadOn(device));
  // The driver reads them where they are.
  absl::InlinedVector<cuda::CUdeviceptr, 16> values(addresses.begin(),
                                                    addresses.end());
  absl::InlinedVector<void*, 16> parameters;
  for (cuda::CUdeviceptr& value : values) parameters.push_back(&value);
  return device.Check(
      device.driver().cuLaunchKernel(loaded.function, loaded.blocks, 1, 1,
                                     static_cast<unsigned>(program_.threads_x),
                                     static_cast<unsigned>(program_.threads_y),
                                     1, 0, stream, parameters.data(), nullptr),
      "cuLaunchKernel");
}

}  // namespace lockstep::internal
