#include "client/host/local_share.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/devices/cuda/cuda_platform.h"
#include "runtime/worker/machine_devices.h"

namespace lockstep::internal {
namespace {

constexpr char kCuda[] = "cuda";

absl::StatusOr<std::vector<int>> ShareOfGpus(const ResolvedOptions& options,
                                             int devices_per_host) {
  if (devices_per_host > 0) {
    ASSIGN_OR_RETURN(const auto shares, ShareDevices(kCuda, options.local_count,
                                                     devices_per_host));
    return shares[static_cast<size_t>(options.local_rank)];
  }
  ASSIGN_OR_RETURN(const int gpus, CudaDeviceCount());
  if (SharesGpus() && gpus > 0 && gpus < options.local_count) {
    return std::vector<int>{options.local_rank % gpus};
  }
  return DeviceBlock(gpus, options.local_rank, options.local_count);
}

}  // namespace

absl::StatusOr<std::vector<int>> DeviceBlock(int devices, int local_rank,
                                             int local_count) {
  if (devices == 0 || devices % local_count != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the devices of this machine must be a multiple of its hosts, found ",
        devices, " devices and ", local_count,
        " hosts; LOCKSTEP_LOCAL_DEVICES says which ones each takes"));
  }
  std::vector<int> block(static_cast<size_t>(devices / local_count));
  std::iota(block.begin(), block.end(),
            local_rank * static_cast<int>(block.size()));
  return block;
}

absl::Status TakeLocalShare(const ResolvedOptions& options,
                            Worker::Options& worker) {
  if (options.local_count <= 1 || options.has_own_devices ||
      options.has_named_devices) {
    return absl::OkStatus();
  }
  const int per_host = static_cast<int>(worker.local_devices.size());
  const int hosts = SharesGpus() ? 1 : options.local_count;
  const int needed = hosts * std::max(per_host, 1);
  const bool is_default = worker.platform.empty() && worker.backend.empty();
  ASSIGN_OR_RETURN(const DeviceChoice choice,
                   ChooseDevices(worker.platform, worker.backend, needed));
  worker.platform = choice.platform;
  worker.backend = choice.backend;
  if (choice.platform == kCuda) {
    ASSIGN_OR_RETURN(worker.local_devices, ShareOfGpus(options, per_host));
    worker.local_device_count = static_cast<int>(worker.local_devices.size());
    return absl::OkStatus();
  }
  const int gpus = is_default ? CudaDeviceCount().value_or(0) : 0;
  if (gpus > 0 && gpus < needed) {
    LogInfo(absl::StrCat("on processors: the ", options.local_count,
                         " hosts of this machine need ", needed,
                         " GPUs, of which there are ", gpus));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
