#include "client/host/cluster_devices.h"

#include <cstdlib>
#include <string>

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

absl::Status ChooseClusterDevices(LocalCluster::Options& options) {
  const int devices = SharesGpus() ? options.devices_per_host
                                   : options.hosts * options.devices_per_host;
  ASSIGN_OR_RETURN(
      const DeviceChoice choice,
      ChooseDevices(Or(options.platform, "LOCKSTEP_PLATFORM"),
                    Or(options.backend, "LOCKSTEP_BACKEND"), devices));
  options.platform = choice.platform;
  options.backend = choice.backend;
  ASSIGN_OR_RETURN(
      options.local_devices,
      ShareDevices(choice.platform, options.hosts, options.devices_per_host));
  return absl::OkStatus();
}

}  // namespace lockstep::internal
