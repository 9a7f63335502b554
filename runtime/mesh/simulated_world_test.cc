#include "runtime/mesh/simulated_world.h"

#include <array>
#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(FlatWorld, NumbersDevicesHostMajor) {
  const World world = *FlatWorld({.hosts = 4,
                                  .devices_per_host = 2,
                                  .slices = 2,
                                  .platform = "gpu",
                                  .kind = "NVIDIA H100"});
  EXPECT_EQ(world.device_count(), 8);
  EXPECT_THAT(IdsOf(world.local(HostId(2))), ElementsAre(4, 5));
  EXPECT_EQ(world.devices()[5].local_id, LocalDeviceId(1));
  EXPECT_EQ(world.devices()[3].slice, 0);
  EXPECT_EQ(world.devices()[4].slice, 1);
  EXPECT_EQ(world.devices()[4].platform, "gpu");
  EXPECT_EQ(*FlatWorld({.hosts = 2, .devices_per_host = 3}),
            World::HostMajor({3, 3}));
}

TEST(TorusWorld, PlacesCoresChipsAndHosts) {
  const World world = *TorusWorld({.chips = {4, 4, 1},
                                   .cores_per_chip = 2,
                                   .host_chips = {2, 2, 1},
                                   .kind = "TPU v3"});
  EXPECT_EQ(world.device_count(), 32);
  EXPECT_THAT(IdsOf(world.local(HostId(0))),
              ElementsAre(0, 1, 2, 3, 8, 9, 10, 11));
  EXPECT_THAT(IdsOf(world.local(HostId(1))),
              ElementsAre(4, 5, 6, 7, 12, 13, 14, 15));
  EXPECT_THAT(IdsOf(world.local(HostId(3))),
              ElementsAre(20, 21, 22, 23, 28, 29, 30, 31));
  const Device& device = world.devices()[27];
  EXPECT_EQ(device.coords, (std::array<int32_t, 3>{1, 3, 0}));
  EXPECT_EQ(device.core, 1);
  EXPECT_EQ(device.host, HostId(2));
  EXPECT_EQ(device.local_id, LocalDeviceId(7));
}

TEST(SimulatedWorld, RefusesWhatIsNoWorld) {
  const auto message = [](const auto& world) {
    EXPECT_EQ(world.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(world.status().message());
  };
  EXPECT_THAT(message(FlatWorld({.hosts = 0})), HasSubstr("[0, 1]"));
  EXPECT_THAT(message(FlatWorld({.hosts = 1 << 20, .devices_per_host = 4096})),
              HasSubstr("[1048576, 4096]"));
  EXPECT_THAT(message(FlatWorld({.hosts = 3, .slices = 2})),
              HasSubstr("3 devices"));
  EXPECT_THAT(message(TorusWorld({.chips = {4, 0, 1}})),
              HasSubstr("[4, 0, 1, 1]"));
  EXPECT_THAT(
      message(TorusWorld({.chips = {4, 3, 1}, .host_chips = {2, 2, 1}})),
      HasSubstr("4x3x1"));
}

}  // namespace
}  // namespace lockstep::internal
