#include "client/host/cluster_devices.h"

#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/devices/cuda/cuda_platform.h"
#include "runtime/worker/machine_devices.h"

namespace lockstep::internal {
namespace {

std::string Or(const std::string& text, const char* variable) {
  const char* const value = std::getenv(variable);
  return text.empty() && value != nullptr ? value : text;
}

}  // namespace

absl::StatusOr<std::string> ChooseClusterDevices(
    LocalCluster::Options& options) {
  const int devices = SharesGpus() ? options.devices_per_host
                                   : options.hosts * options.devices_per_host;
  const std::string platform = Or(options.platform, "LOCKSTEP_PLATFORM");
  const std::string backend = Or(options.backend, "LOCKSTEP_BACKEND");
  ASSIGN_OR_RETURN(const DeviceChoice choice,
                   ChooseDevices(platform, backend, devices));
  options.platform = choice.platform;
  options.backend = choice.backend;
  ASSIGN_OR_RETURN(
      options.local_devices,
      ShareDevices(choice.platform, options.hosts, options.devices_per_host));
  const bool is_default = platform.empty() && backend.empty();
  const int gpus = is_default ? CudaDeviceCount().value_or(0) : 0;
  if (gpus == 0 || gpus >= devices) return "";
  return absl::StrCat("on processors: ", devices,
                      " devices are asked for, of GPUs there are ", gpus);
}

}  // namespace lockstep::internal
