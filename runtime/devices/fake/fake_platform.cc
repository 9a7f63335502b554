#include "runtime/devices/fake/fake_platform.h"

#include <cstddef>
#include <memory>

namespace lockstep::internal {

FakePlatform::FakePlatform(int device_count, int64_t device_memory) {
  for (int i = 0; i < device_count; ++i) {
    devices_.push_back(std::make_shared<FakeDevice>(i, device_memory));
  }
}

FakePlatform::~FakePlatform() {
  for (size_t i = 0; i < devices_.size(); ++i) device(i).BeginEnd();
  for (size_t i = 0; i < devices_.size(); ++i) device(i).FinishEnd();
}

namespace {

const bool kIsRegistered = RegisterPlatform(
    "fake",
    [](const PlatformOptions& options)
        -> absl::StatusOr<std::unique_ptr<Platform>> {
      return std::make_unique<FakePlatform>(options.device_count);
    });

}  // namespace
}  // namespace lockstep::internal
