#include "runtime/mesh/pmap_rules.h"

#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<GlobalDeviceId> Ids(std::vector<int32_t> values) {
  std::vector<GlobalDeviceId> ids;
  for (int32_t value : values) ids.emplace_back(value);
  return ids;
}

std::string Error(const absl::Status& status, absl::StatusCode code) {
  EXPECT_EQ(status.code(), code) << status;
  return std::string(status.message());
}

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
const HostId kHost0(0);
const HostId kHost1(1);

// J-1.
TEST(HostCount, CountsDistinctHosts) {
  EXPECT_EQ(HostCount(World::HostMajor({4, 4})), 2);
  EXPECT_EQ(HostCount(World::HostMajor({8})), 1);
  std::vector<Device> devices = World::HostMajor({2, 2, 1}).devices();
  devices[4].host = HostId(3);  // ids need not be dense
  EXPECT_EQ(HostCount(World(devices)), 3);
}

// J-2.
TEST(DeviceCounts, AreOfTheWorldAndOfOneHost) {
  const World world = World::HostMajor({4, 2, 2});
  EXPECT_EQ(DeviceCount(world), 8);
  EXPECT_EQ(LocalDeviceCount(world, kHost0), 4);
  EXPECT_EQ(LocalDeviceCount(world, HostId(2)), 2);
  EXPECT_EQ(LocalDevices(world, kHost1)[0].id, GlobalDeviceId(4));
}

// J-3.
TEST(MappedAxisSize, IsTheCommonLeadingSize) {
  using Leaf = ArgumentLeaf;
  EXPECT_EQ(*MappedAxisSize({Leaf{"0", "string", {}},
                             Leaf{"1/x", "", std::vector<int64_t>{4, 2}},
                             Leaf{"1/y", "", std::vector<int64_t>{4}}}),
            4);
  EXPECT_EQ(
      Error(MappedAxisSize({Leaf{"0", "string", {}}, Leaf{"1", "function", {}}})
                .status(),
            kInvalid),
      "pmap: no argument has a shape to map: [0: string, 1: function]");
  EXPECT_EQ(
      Error(MappedAxisSize({Leaf{"a/0", "", std::vector<int64_t>{}}}).status(),
            kInvalid),
      "pmap: argument a/0 has rank 0: expected a leading dimension to map");
  EXPECT_EQ(Error(MappedAxisSize({Leaf{"0", "", std::vector<int64_t>{4}},
                                  Leaf{"k", "", std::vector<int64_t>{3}}})
                      .status(),
                  kInvalid),
            "pmap: argument k has leading size 3: expected 4, the leading "
            "size of 0");
}

// J-6.
TEST(GlobalAxisSize, OnOneHostIsTheAxisSize) {
  const World world = World::HostMajor({8});
  for (int64_t size : {8, 5, 9}) {
    EXPECT_EQ(*GlobalAxisSize(size, std::nullopt, world, kHost0), size);
  }
  EXPECT_EQ(GlobalAxisSize(0, std::nullopt, world, kHost0).status().code(),
            kInvalid);
}

// J-6.
TEST(GlobalAxisSize, OnSeveralHostsTheAxisSizeIsTheLocalDeviceCount) {
  const World world = World::HostMajor({4, 4});
  EXPECT_EQ(*GlobalAxisSize(4, std::nullopt, world, kHost1), 8);
  for (int64_t size : {3, 8}) {
    EXPECT_THAT(
        Error(GlobalAxisSize(size, std::nullopt, world, kHost0).status(),
              kInvalid),
        AllOf(HasSubstr("axis size " + std::to_string(size)),
              HasSubstr("local devices, 4"), HasSubstr("pass devices")));
  }
  const World uneven = World::HostMajor({4, 2, 2});
  EXPECT_EQ(*GlobalAxisSize(4, std::nullopt, uneven, kHost0), 8);
  EXPECT_EQ(*GlobalAxisSize(2, std::nullopt, uneven, kHost1), 8);
  EXPECT_EQ(*GlobalAxisSize(2, std::nullopt, uneven, HostId(2)), 8);
}

// J-6.
TEST(GlobalAxisSize, OfADeviceListIsItsLength) {
  const World world = World::HostMajor({4, 4});
  EXPECT_EQ(*GlobalAxisSize(2, Ids({0, 1, 4, 5}), world, kHost0), 4);
  EXPECT_EQ(*GlobalAxisSize(2, Ids({2, 3, 4, 5}),
                            World::HostMajor({2, 2, 2, 2}), kHost1),
            4);
  const World one = World::HostMajor({8});
  EXPECT_EQ(*GlobalAxisSize(6, Ids({0, 1, 2, 3, 4, 5}), one, kHost0), 6);
  EXPECT_EQ(*GlobalAxisSize(2, Ids({6, 7}), one, kHost0), 2);
  for (const World& w : {world, one}) {
    EXPECT_EQ(Error(GlobalAxisSize(4, Ids({}), w, kHost0).status(), kInvalid),
              "pmap: devices is empty: leave devices out to use all devices");
  }
}

// What both steps give for one host.
absl::StatusOr<ReplicaPlacement> Resolve(const World& world,
                                         const PmapDevices& devices,
                                         int64_t axis_size,
                                         int64_t body_replicas, HostId me) {
  const absl::StatusOr<int64_t> global =
      GlobalAxisSize(axis_size, devices, world, me);
  if (!global.ok()) return global.status();
  return ResolveDeviceAssignment(axis_size, *global, body_replicas, devices,
                                 world, me);
}

// J-8.
TEST(ResolveDeviceAssignment, WithoutDevicesNeedsAsManyDevicesAsReplicas) {
  const World one = World::HostMajor({8});
  EXPECT_EQ(Error(Resolve(one, std::nullopt, 9, 1, kHost0).status(), kInvalid),
            "pmap: 9 replicas required, but only 8 devices available");
  EXPECT_EQ(Error(Resolve(one, std::nullopt, 8, 2, kHost0).status(), kInvalid),
            "pmap: 16 replicas required, but only 8 devices available");
  const auto nested = Resolve(one, std::nullopt, 4, 2, kHost0);
  EXPECT_EQ(nested->num_replicas, 8);
  EXPECT_EQ(nested->num_local_replicas, 8);
  EXPECT_EQ(nested->assignment, Ids({0, 1, 2, 3, 4, 5, 6, 7}));
  const auto fewer = Resolve(one, std::nullopt, 3, 1, kHost0);
  EXPECT_EQ(fewer->assignment, Ids({0, 1, 2}));

  const World two = World::HostMajor({4, 4});
  EXPECT_EQ(Error(Resolve(two, std::nullopt, 4, 2, kHost0).status(), kInvalid),
            "pmap: 16 replicas required, but only 8 devices available");
  const auto whole = Resolve(two, std::nullopt, 4, 1, kHost1);
  EXPECT_EQ(whole->num_replicas, 8);
  EXPECT_EQ(whole->num_local_replicas, 4);
}

// J-8.
TEST(ResolveDeviceAssignment, HugeSizesAreErrors) {
  const int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(Resolve(World::HostMajor({2}), std::nullopt, huge, huge, kHost0)
                .status()
                .code(),
            kInvalid);
  EXPECT_EQ(Resolve(World::HostMajor({2}), std::nullopt, 2, 0, kHost0)
                .status()
                .code(),
            kInvalid);
}

// J-9.
TEST(ResolveDeviceAssignment, WithDevicesKeepsTheOrderOfTheList) {
  const World world = World::HostMajor({4, 4});
  const auto placement = Resolve(world, Ids({7, 0, 5, 2}), 2, 1, kHost0);
  EXPECT_EQ(placement->assignment, Ids({7, 0, 5, 2}));
  EXPECT_EQ(placement->num_local_replicas, 2);
}

// J-9.
TEST(ResolveDeviceAssignment, WithDevicesNeedsOneOfMine) {
  const World world = World::HostMajor({2, 2, 2, 2});
  const PmapDevices devices = Ids({2, 3, 4, 5});
  for (HostId host : {HostId(0), HostId(3)}) {
    EXPECT_EQ(Error(Resolve(world, devices, 2, 1, host).status(),
                    absl::StatusCode::kFailedPrecondition),
              "pmap: devices has no device of host " +
                  std::to_string(host.value()) + ", only of hosts [1, 2]");
  }
  EXPECT_TRUE(Resolve(world, devices, 2, 1, HostId(2)).ok());
}

// J-9.
TEST(ResolveDeviceAssignment, WithDevicesNeedsAsManyDevicesAsReplicas) {
  const World world = World::HostMajor({8});
  EXPECT_EQ(
      Error(
          Resolve(world, Ids({0, 1, 2, 3, 4, 5, 6, 7}), 8, 2, kHost0).status(),
          kInvalid),
      "pmap: 16 replicas required, but devices has 8 devices");
}

// J-10.
TEST(ResolveDeviceAssignment, WithDevicesNeedsARowPerDeviceOfMine) {
  const World world = World::HostMajor({4, 4});
  const PmapDevices all = Ids({0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(Error(Resolve(world, all, 3, 1, kHost0).status(), kInvalid),
            "pmap: axis size 3, but devices has 4 devices of host 0: "
            "[0, 1, 2, 3]");
  EXPECT_EQ(
      Error(Resolve(World::HostMajor({2}), Ids({1, 0}), 1, 1, kHost0).status(),
            kInvalid),
      "pmap: axis size 1, but devices has 2 devices of host 0: [1, 0]");
}

// J-9.
TEST(ValidateDeviceList, NamesUnknownAndRepeatedDevices) {
  const World world = World::HostMajor({2, 2});
  EXPECT_TRUE(ValidateDeviceList(std::nullopt, world).ok());
  EXPECT_TRUE(ValidateDeviceList(Ids({3, 0}), world).ok());
  EXPECT_EQ(Error(ValidateDeviceList(Ids({0, 4}), world), kInvalid),
            "pmap: devices has device 4, which is none of the 4 devices");
  EXPECT_EQ(Error(ValidateDeviceList(Ids({1, 0, 1}), world), kInvalid),
            "pmap: devices has device 1 more than once");
}

// J-11.
TEST(ExecutionChecks, NameReplicasAndDevices) {
  EXPECT_TRUE(CheckLocalReplicas(4, 4).ok());
  EXPECT_EQ(Error(CheckLocalReplicas(5, 4), kInvalid),
            "5 local replicas to run, but only 4 devices available");
  EXPECT_TRUE(CheckAssignmentSize(Ids({1, 0}), 2).ok());
  EXPECT_EQ(Error(CheckAssignmentSize(Ids({1, 0}), 4), kInvalid),
            "device assignment [1, 0] is not one device for each of 4 "
            "replicas");
}

// J-12.
TEST(AssignShards, GoldenRowsAndOutputReplicas) {
  EXPECT_THAT(*AssignShards(8, 8), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(*OutputReplicas(8, 8), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(*AssignShards(8, 4), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(*OutputReplicas(8, 4), ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(*AssignShards(6, 3), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(*OutputReplicas(6, 3), ElementsAre(0, 2, 4));
  EXPECT_EQ(Error(AssignShards(8, 3).status(), kInvalid),
            "8 local replicas cannot be divided evenly over 3 rows");
  EXPECT_EQ(AssignShards(8, 0).status().code(), kInvalid);
}

// J-12.
TEST(LocalReplicas, FollowTheOrderOfTheList) {
  const World world = World::HostMajor({4, 4});
  const std::vector<GlobalDeviceId> devices = Ids({7, 0, 5, 2});
  // A holds d0 and d2, so passes [a0, a1]; B holds d7 and d5, [b0, b1]. The
  // axis then reads b0 a0 b1 a1.
  EXPECT_THAT(LocalReplicas(devices, world, kHost0), ElementsAre(1, 3));
  EXPECT_THAT(LocalReplicas(devices, world, kHost1), ElementsAre(0, 2));
}

}  // namespace
}  // namespace lockstep::internal
