#include "runtime/worker/local_devices.h"

#include <unistd.h>

namespace lockstep {

std::vector<DeviceInfo> CpuDevices(int count) {
  DeviceInfo device;
  device.kind = "cpu";
  device.memory_bytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<int64_t>(sysconf(_SC_PAGE_SIZE));
  return std::vector<DeviceInfo>(count, device);
}

}  // namespace lockstep
