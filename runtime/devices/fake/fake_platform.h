#ifndef LOCKSTEP_RUNTIME_DEVICES_FAKE_FAKE_PLATFORM_H_
#define LOCKSTEP_RUNTIME_DEVICES_FAKE_FAKE_PLATFORM_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "runtime/devices/fake/fake_device.h"
#include "runtime/devices/platform.h"

namespace lockstep::internal {

// The platform "fake": devices for tests.
class FakePlatform final : public Platform {
 public:
  static constexpr int64_t kDeviceMemory = int64_t{16} << 30;

  explicit FakePlatform(int device_count,
                        int64_t device_memory = kDeviceMemory);
  ~FakePlatform() override;

  std::string name() const override { return "fake"; }
  const std::vector<std::shared_ptr<LocalDevice>>& devices() const override {
    return devices_;
  }
  bool devices_share_memory() const override { return false; }
  FakeDevice& device(size_t i) {
    return static_cast<FakeDevice&>(*devices_[i]);
  }

 private:
  std::vector<std::shared_ptr<LocalDevice>> devices_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_FAKE_FAKE_PLATFORM_H_
