#include "runtime/collectives/device_fabric.h"

#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::Contains;

class NamedFabric : public CollectiveFabric {
 public:
  explicit NamedFabric(std::string name) : name_(std::move(name)) {}

  CliqueProvider& provider() override { std::abort(); }
  std::string collectives() const override { return name_; }
  void AbortLaunch(const LaunchId&, const absl::Status&) override {}
  absl::Status SetMembers(const Roster&) override { return absl::OkStatus(); }
  std::vector<PeerLink> Links() const override { return {}; }
  std::vector<CollectiveWait> Waits() const override { return {}; }

 private:
  const std::string name_;
};

const bool kWires = RegisterDeviceFabric(
    "wired",
    [](const DeviceFabricOptions& options,
       std::unique_ptr<CollectiveFabric> hosts)
        -> absl::StatusOr<std::unique_ptr<CollectiveFabric>> {
      return std::make_unique<NamedFabric>(
          ReductionModeName(options.reduction_mode) + " wires over " +
          hosts->collectives());
    });

const bool kNone = RegisterDeviceFabric(
    "unplugged",
    [](const DeviceFabricOptions&, std::unique_ptr<CollectiveFabric>)
        -> absl::StatusOr<std::unique_ptr<CollectiveFabric>> {
      return absl::UnavailableError("no wires");
    });

std::unique_ptr<CollectiveFabric> Hosts() {
  return std::make_unique<NamedFabric>("the hosts");
}

TEST(DeviceFabric, IsThatOfThePlatform) {
  const auto fabric = MakeDeviceFabric(
      "wired", {.reduction_mode = ReductionMode::kOrdered}, Hosts());
  ASSERT_EQ(fabric.status(), absl::OkStatus());
  EXPECT_EQ((*fabric)->collectives(), "ordered wires over the hosts");
  EXPECT_THAT(PlatformsWithFabric(), Contains("wired"));
}

TEST(DeviceFabric, StaysWithTheHostsWhereThePlatformHasNone) {
  const auto fabric = MakeDeviceFabric("cpu", {}, Hosts());
  ASSERT_EQ(fabric.status(), absl::OkStatus());
  EXPECT_EQ((*fabric)->collectives(), "the hosts");
}

TEST(DeviceFabric, ThatCannotBeMadeIsAnError) {
  EXPECT_EQ(MakeDeviceFabric("unplugged", {}, Hosts()).status(),
            absl::UnavailableError("no wires"));
}

TEST(DeviceFabricDeathTest, OneForAPlatformThatHasOneIsOurBug) {
  EXPECT_DEATH(RegisterDeviceFabric("wired", nullptr), "is_new");
}

TEST(ReductionMode, HasNames) {
  for (ReductionMode mode : {ReductionMode::kFast, ReductionMode::kOrdered}) {
    EXPECT_EQ(*ParseReductionMode(ReductionModeName(mode)), mode);
  }
  EXPECT_EQ(ParseReductionMode("slow").status(),
            absl::InvalidArgumentError(
                "expected a reduction mode, fast or ordered, found 'slow'"));
}

}  // namespace
}  // namespace lockstep::internal
