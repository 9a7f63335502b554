#include "runtime/mesh/device_assignment.h"

#include <vector>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

std::vector<GlobalDeviceId> Ids(std::vector<int32_t> values) {
  std::vector<GlobalDeviceId> ids;
  for (int32_t value : values) ids.emplace_back(value);
  return ids;
}

TEST(DeviceAssignment, MapsLogicalIdsToDevicesAndBack) {
  const auto assignment = DeviceAssignment::Create(2, 2, Ids({7, 0, 5, 2}));
  ASSERT_TRUE(assignment.ok());
  EXPECT_EQ(assignment->device({1, 0}), GlobalDeviceId(5));
  EXPECT_EQ(assignment->FlattenedId({1, 1}), 3);
  for (int32_t id = 0; id < 4; ++id) {
    const LogicalId logical = assignment->FromFlattenedId(id);
    EXPECT_EQ(assignment->FlattenedId(logical), id);
    EXPECT_EQ(*assignment->Find(assignment->device(logical)), logical);
  }
  EXPECT_EQ(assignment->ToString(), "[[7,0],[5,2]]");
  EXPECT_EQ(assignment->Find(GlobalDeviceId(3)).status(),
            absl::NotFoundError(
                "device 3 is not in the device assignment [[7,0],[5,2]]"));
}

TEST(DeviceAssignment, IotaNumbersTheDevicesInOrder) {
  EXPECT_EQ(DeviceAssignment::Iota(3, 2).ToString(), "[[0,1],[2,3],[4,5]]");
}

TEST(DeviceAssignment, WrongCountsAndRepeatedDevicesAreInvalid) {
  EXPECT_EQ(DeviceAssignment::Create(0, 1, {}).status(),
            absl::InvalidArgumentError(
                "expected at least 1 replica and 1 partition, found 0 "
                "replicas and 1 partitions"));
  EXPECT_EQ(DeviceAssignment::Create(2, 2, Ids({0, 1, 2})).status(),
            absl::InvalidArgumentError(
                "2 replicas of 2 partitions need 4 devices, found 3"));
  EXPECT_EQ(DeviceAssignment::Create(2, 1, Ids({4, 4})).status(),
            absl::InvalidArgumentError(
                "device 4 occurs twice in a device assignment"));
}

}  // namespace
}  // namespace lockstep::internal
