#include "runtime/worker/machine_devices.h"

#include "absl/strings/str_cat.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/base/status.h"
#include "runtime/cuda/nvrtc.h"
#include "runtime/devices/cuda/cuda_platform.h"

namespace lockstep::internal {
namespace {

constexpr char kCuda[] = "cuda";
constexpr char kCpu[] = "cpu";

bool HasGpus(int devices) {
  const absl::StatusOr<int> found = CudaDeviceCount();
  return found.ok() && *found >= devices && cuda::LoadNvrtc().ok();
}

std::string Count(int n, absl::string_view noun) {
  return absl::StrCat(n, " ", noun, n == 1 ? "" : "s");
}

}  // namespace

absl::StatusOr<DeviceChoice> ChooseDevices(const std::string& platform,
                                           const std::string& backend,
                                           int devices) {
  DeviceChoice choice = {platform, backend};
  if (choice.backend.empty()) {
    const std::string wanted =
        platform.empty() ? (HasGpus(devices) ? kCuda : kCpu) : platform;
    // Others, such as the simulated ones, run what the CPU's backend makes.
    choice.backend = FindBackend(wanted).ok() ? wanted : kCpu;
  }
  ASSIGN_OR_RETURN(const Backend* const found, FindBackend(choice.backend));
  if (choice.platform.empty()) choice.platform = found->platform();
  return choice;
}

absl::StatusOr<std::vector<std::vector<int>>> ShareDevices(
    const std::string& platform, int workers, int devices_per_worker) {
  std::vector<std::vector<int>> shares;
  if (platform != kCuda) return shares;
  ASSIGN_OR_RETURN(const int found, CudaDeviceCount());
  const int wanted =
      SharesGpus() ? devices_per_worker : workers * devices_per_worker;
  if (wanted > found) {
    return absl::FailedPreconditionError(absl::StrCat(
        Count(workers, "worker"), " of ", Count(devices_per_worker, "device"),
        ": expected at least ", Count(wanted, "GPU"), ", found ", found,
        SharesGpus() ? ""
                     : "; for tests LOCKSTEP_CUDA_SHARED=1 lets workers share "
                       "them, and --platform=cpu takes processors"));
  }
  for (int worker = 0; worker < workers; ++worker) {
    std::vector<int>& share = shares.emplace_back();
    for (int i = 0; i < devices_per_worker; ++i) {
      share.push_back((worker * devices_per_worker + i) % found);
    }
  }
  return shares;
}

}  // namespace lockstep::internal
