#include <unistd.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/devices/host/host_device.h"
#include "runtime/devices/platform.h"

namespace lockstep::internal {
namespace {

// As many CPU devices as are asked for, each with the memory of the whole
// machine.
class HostPlatform final : public Platform {
 public:
  explicit HostPlatform(int device_count) {
    DeviceInfo info;
    info.kind = "cpu";
    info.memory_bytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<int64_t>(sysconf(_SC_PAGE_SIZE));
    const auto pool = std::make_shared<HostMemoryPool>();
    for (int i = 0; i < device_count; ++i) {
      devices_.push_back(std::make_shared<HostDevice>(i, info, pool));
    }
  }
  ~HostPlatform() override {
    for (const auto& device : devices_) {
      static_cast<HostDevice&>(*device).AwaitIdle();
    }
  }

  std::string name() const override { return "cpu"; }
  const std::vector<std::shared_ptr<LocalDevice>>& devices() const override {
    return devices_;
  }
  bool devices_share_memory() const override { return true; }

 private:
  std::vector<std::shared_ptr<LocalDevice>> devices_;
};

const bool kIsRegistered = RegisterPlatform(
    "cpu",
    [](const PlatformOptions& options)
        -> absl::StatusOr<std::unique_ptr<Platform>> {
      return std::make_unique<HostPlatform>(options.device_count);
    });

}  // namespace
}  // namespace lockstep::internal
