#include "runtime/collectives/device_fabric.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

class NamedFabric : public CollectiveFabric {
 public:
  explicit NamedFabric(std::string name) : name_(std::move(name)) {}

  CliqueProvider& provider() override {
    CheckFailed(__FILE__, __LINE__, "no clique");
  }
  std::string collectives() const override { return name_; }
  void AbortLaunch(const LaunchId&, const absl::Status&) override {}
  absl::Status SetMembers(const Roster&) override { return absl::OkStatus(); }
  std::vector<PeerLink> Links() const override { return {}; }
  std::vector<CollectiveWait> Waits() const override { return {}; }

 private:
  const std::string name_;
};

const bool kHasOwn =
    RegisterDeviceFabric("own", [](std::unique_ptr<CollectiveFabric> hosts) {
      return std::make_unique<NamedFabric>("own over " + hosts->collectives());
    });
const bool kIsBroken = RegisterDeviceFabric(
    "broken",
    [](std::unique_ptr<CollectiveFabric>)
        -> absl::StatusOr<std::unique_ptr<CollectiveFabric>> {
      return absl::InvalidArgumentError("no such mode");
    });

absl::StatusOr<std::string> FabricOf(absl::string_view platform) {
  auto made =
      MakeDeviceFabric(platform, std::make_unique<NamedFabric>("hosts"));
  if (!made.ok()) return made.status();
  return (*made)->collectives();
}

TEST(DeviceFabric, APlatformHasWhatIsRegisteredForItOverTheHosts) {
  EXPECT_EQ(*FabricOf("own"), "own over hosts");
}

TEST(DeviceFabric, APlatformWithoutOneHasTheHosts) {
  EXPECT_EQ(*FabricOf("plain"), "hosts");
}

TEST(DeviceFabric, AFactorysErrorIsTheCallers) {
  EXPECT_EQ(FabricOf("broken").status().message(), "no such mode");
}

}  // namespace
}  // namespace lockstep::internal
