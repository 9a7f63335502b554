#include "runtime/backends/cuda/cuda_kernel.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "runtime/base/status.h"
#include "runtime/cuda/cuda_driver.h"

namespace lockstep::internal {
namespace {

// How many times as many blocks are launched as run at once, at most. The
// device gives a block to whatever multiprocessor is free: with one wave the
// slowest would be waited for.
constexpr int64_t kMaxWaves = 16;

}  // namespace

CudaKernel::~CudaKernel() {
  absl::MutexLock lock(&mutex_);
  for (auto& [device, module] : modules_) {
    // A device that is lost has lost its modules too.
    if (!module.device->MakeCurrent().ok()) continue;
    module.device->driver().cuModuleUnload(module.module);
  }
}

absl::StatusOr<const std::vector<CudaKernel::Loaded>*> CudaKernel::LoadOn(
    CudaDevice& device) const {
  absl::MutexLock lock(&mutex_);
  auto it = modules_.find(&device);
  if (it != modules_.end()) return &it->second.functions;
  const cuda::CudaDriver& driver = device.driver();
  LoadedModule module = {device.shared_from_this(), &device, nullptr, {}};
  RETURN_IF_ERROR(
      device.Check(driver.cuModuleLoadData(&module.module, code_.data()),
                   "cuModuleLoadData"));
  for (const KernelLaunch& launch : program_.launches) {
    Loaded loaded;
    RETURN_IF_ERROR(
        device.Check(driver.cuModuleGetFunction(&loaded.function, module.module,
                                                launch.function.c_str()),
                     "cuModuleGetFunction"));
    int resident = 0;
    RETURN_IF_ERROR(device.Check(
        driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &resident, loaded.function, launch.threads_x * launch.threads_y, 0),
        "cuOccupancyMaxActiveBlocksPerMultiprocessor"));
    loaded.blocks = static_cast<unsigned>(std::clamp<int64_t>(
        launch.blocks, 1,
        kMaxWaves * std::max(1, resident * device.multiprocessors())));
    module.functions.push_back(loaded);
  }
  return &modules_.emplace(&device, std::move(module)).first->second.functions;
}

absl::Status CudaKernel::Launch(
    CudaDevice& device, cuda::CUstream stream,
    absl::Span<const cuda::CUdeviceptr> addresses) const {
  ASSIGN_OR_RETURN(const std::vector<Loaded>* functions, LoadOn(device));
  // The driver reads them where they are.
  absl::InlinedVector<cuda::CUdeviceptr, 16> values(addresses.begin(),
                                                    addresses.end());
  absl::InlinedVector<void*, 16> parameters;
  for (cuda::CUdeviceptr& value : values) parameters.push_back(&value);
  for (size_t i = 0; i < functions->size(); ++i) {
    const KernelLaunch& launch = program_.launches[i];
    const Loaded& loaded = (*functions)[i];
    RETURN_IF_ERROR(device.Check(device.driver().cuLaunchKernel(
                                     loaded.function, loaded.blocks, 1, 1,
                                     static_cast<unsigned>(launch.threads_x),
                                     static_cast<unsigned>(launch.threads_y), 1,
                                     0, stream, parameters.data(), nullptr),
                                 "cuLaunchKernel"));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
