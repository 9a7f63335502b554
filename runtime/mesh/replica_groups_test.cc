// Spec K-9: modes, groups and pairs.
#include "runtime/mesh/replica_groups.h"

#include <algorithm>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr GroupMode kModes[] = {
    GroupMode::kCrossReplica, GroupMode::kCrossPartition,
    GroupMode::kCrossReplicaAndPartition, GroupMode::kFlattenedIds};

TEST(GroupMode, OfReductionsDependsOnChannelAndGlobalDeviceIds) {
  EXPECT_EQ(*ReductionGroupMode(0, false), GroupMode::kCrossReplica);
  EXPECT_EQ(*ReductionGroupMode(-1, false), GroupMode::kCrossReplica);
  EXPECT_EQ(*ReductionGroupMode(1, false),
            GroupMode::kCrossReplicaAndPartition);
  EXPECT_EQ(*ReductionGroupMode(1, true), GroupMode::kFlattenedIds);
  EXPECT_EQ(ReductionGroupMode(0, true).status(),
            absl::InvalidArgumentError(
                "use_global_device_ids needs a channel id above 0, found 0"));
}

TEST(GroupMode, OfMovementsDependsOnTheChannel) {
  EXPECT_EQ(MovementGroupMode(0), GroupMode::kCrossReplica);
  EXPECT_EQ(MovementGroupMode(1), GroupMode::kCrossPartition);
}

// 3 replicas of 2 partitions; flattened id = 2 * replica + partition.
TEST(FlattenedGroups, CrossReplicaHasAGroupPerPartition) {
  EXPECT_THAT(FlattenedGroups({{2, 0}, {1}}, GroupMode::kCrossReplica, 3, 2),
              ElementsAre(ElementsAre(4, 0), ElementsAre(5, 1), ElementsAre(2),
                          ElementsAre(3)));
}

TEST(FlattenedGroups, CrossPartitionHasAGroupPerReplica) {
  EXPECT_THAT(
      FlattenedGroups({{1, 0}}, GroupMode::kCrossPartition, 3, 2),
      ElementsAre(ElementsAre(1, 0), ElementsAre(3, 2), ElementsAre(5, 4)));
}

TEST(FlattenedGroups, CrossReplicaAndPartitionIsPartitionMajor) {
  EXPECT_THAT(FlattenedGroups({{2, 0}, {1}},
                              GroupMode::kCrossReplicaAndPartition, 3, 2),
              ElementsAre(ElementsAre(4, 0, 5, 1), ElementsAre(2, 3)));
}

TEST(FlattenedGroups, FlattenedIdsAreTakenAsListed) {
  EXPECT_THAT(
      FlattenedGroups({{5, 0}, {1, 2, 3, 4}}, GroupMode::kFlattenedIds, 3, 2),
      ElementsAre(ElementsAre(5, 0), ElementsAre(1, 2, 3, 4)));
}

TEST(FlattenedGroups, NoGroupsMeanEverybodyInIdOrder) {
  EXPECT_THAT(FlattenedGroups({}, GroupMode::kCrossReplica, 3, 2),
              ElementsAre(ElementsAre(0, 2, 4), ElementsAre(1, 3, 5)));
  EXPECT_THAT(
      FlattenedGroups({}, GroupMode::kCrossPartition, 3, 2),
      ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4, 5)));
  EXPECT_THAT(FlattenedGroups({}, GroupMode::kCrossReplicaAndPartition, 3, 2),
              ElementsAre(ElementsAre(0, 2, 4, 1, 3, 5)));
  EXPECT_THAT(FlattenedGroups({}, GroupMode::kFlattenedIds, 3, 2),
              ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5)));
}

TEST(FlattenedGroups, ValidGroupsPutEveryProcessInExactlyOneGroup) {
  for (int32_t replicas = 1; replicas <= 4; ++replicas) {
    for (int32_t partitions = 1; partitions <= 4; ++partitions) {
      for (GroupMode mode : kModes) {
        const int64_t ids = mode == GroupMode::kCrossPartition ? partitions
                            : mode == GroupMode::kFlattenedIds
                                ? replicas * partitions
                                : replicas;
        EXPECT_EQ(FlattenedGroupSize({}, mode, replicas, partitions),
                  FlattenedGroups({}, mode, replicas, partitions)[0].size());
        for (int64_t cut = 0; cut < ids; ++cut) {
          ReplicaGroups groups(cut == 0 ? 1 : 2);
          for (int64_t id = ids; id-- > 0;) {
            groups[cut != 0 && id < cut].push_back(id);
          }
          ASSERT_TRUE(
              ValidateReplicaGroups(groups, mode, replicas, partitions, {})
                  .ok());
          EXPECT_EQ(
              FlattenedGroupSize(groups, mode, replicas, partitions),
              FlattenedGroups(groups, mode, replicas, partitions)[0].size());
          std::vector<int> uses(replicas * partitions);
          for (const auto& group :
               FlattenedGroups(groups, mode, replicas, partitions)) {
            for (int32_t id : group) ++uses[id];
          }
          EXPECT_THAT(uses, testing::Each(1));
        }
      }
    }
  }
}

TEST(DeviceGroups, NameTheDevicesOfTheAssignment) {
  const auto assignment =
      DeviceAssignment::Create(2, 1, {GlobalDeviceId(7), GlobalDeviceId(3)});
  EXPECT_THAT(DeviceGroups({{1, 0}}, GroupMode::kCrossReplica, *assignment),
              ElementsAre(ElementsAre(GlobalDeviceId(3), GlobalDeviceId(7))));
}

TEST(FlattenedPairs, RepeatForEachGroupOfTheMode) {
  const std::vector<std::pair<int64_t, int64_t>> pairs = {{0, 1}, {1, 0}};
  EXPECT_THAT(FlattenedPairs(pairs, GroupMode::kCrossReplica, 2, 2),
              ElementsAre(Pair(0, 2), Pair(1, 3), Pair(2, 0), Pair(3, 1)));
  EXPECT_THAT(FlattenedPairs(pairs, GroupMode::kCrossPartition, 2, 2),
              ElementsAre(Pair(0, 1), Pair(2, 3), Pair(1, 0), Pair(3, 2)));
}

TEST(ValidateReplicaGroups, NamesTheOffendingIds) {
  const auto validate = [](const ReplicaGroups& groups, GroupMode mode,
                           GroupRequirements requirements) {
    return ValidateReplicaGroups(groups, mode, 4, 2, requirements);
  };
  EXPECT_EQ(validate({{0, 1}, {2, 2}}, GroupMode::kCrossReplica, {}),
            absl::InvalidArgumentError(
                "replica id 2 occurs more than once in the replica groups"));
  EXPECT_EQ(validate({{0, 4}}, GroupMode::kCrossReplica, {}),
            absl::InvalidArgumentError("replica id 4 of a replica group is out "
                                       "of range: expected 0 to 3"));
  EXPECT_EQ(validate({{0, -1}}, GroupMode::kCrossPartition, {}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(validate({{0, 1, 3}}, GroupMode::kCrossReplica, {}),
            absl::InvalidArgumentError("replica id 2 is in no replica group: "
                                       "expected all of 0 to 3"));
  EXPECT_TRUE(
      validate({{0, 1, 3}}, GroupMode::kCrossReplica, {.covers_all_ids = false})
          .ok());
  EXPECT_THAT(std::string(validate({{0, 1, 2}, {3}}, GroupMode::kCrossReplica,
                                   {.equal_sizes = true})
                              .message()),
              HasSubstr("found sizes 3, 1"));
  EXPECT_EQ(validate({{0}, {}}, GroupMode::kCrossPartition, {}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(
      validate({{0, 1, 2, 3, 4, 5, 6, 7}}, GroupMode::kFlattenedIds, {}).ok());
  EXPECT_TRUE(validate({}, GroupMode::kFlattenedIds, {}).ok());
}

}  // namespace
}  // namespace lockstep::internal
