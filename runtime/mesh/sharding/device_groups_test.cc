// Y-21 of docs/behaviour/shardings.md.
#include "runtime/mesh/sharding/device_groups.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Groups = std::vector<std::vector<int64_t>>;

AxisRef Whole(absl::string_view name) { return AxisRef(std::string(name)); }
AxisRef Part(absl::string_view name, int64_t pre_size, int64_t size) {
  return AxisRef(std::string(name), pre_size, size);
}

std::vector<int64_t> IndicesAlong(const std::vector<AxisRef>& axes,
                                  const ShardingMesh& mesh) {
  std::vector<int64_t> indices;
  for (int64_t device = 0; device < mesh.device_count(); ++device) {
    indices.push_back(*ShardIndexOf(device, axes, mesh));
  }
  return indices;
}

TEST(ShardIndexOf, IsRowMajorOverTheAxes) {
  const ShardingMesh mesh = MeshOfText(R"(<["x"=2, "y"=4]>)");
  EXPECT_THAT(IndicesAlong({}, mesh), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(IndicesAlong({Whole("x")}, mesh),
              ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(IndicesAlong({Whole("y"), Whole("x")}, mesh),
              ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
  EXPECT_THAT(IndicesAlong({Part("y", 1, 2)}, mesh),
              ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_THAT(IndicesAlong({Part("y", 2, 2), Whole("x")}, mesh),
              ElementsAre(0, 2, 0, 2, 1, 3, 1, 3));
}

TEST(ShardIndexOf, IsThatOfTheDeviceAndNotOfItsPosition) {
  const ShardingMesh mesh =
      MeshOfText(R"(<["x"=3, "y"=2], device_ids=[0, 2, 4, 1, 3, 5]>)");
  EXPECT_THAT(IndicesAlong({Whole("x")}, mesh), ElementsAre(0, 1, 0, 2, 1, 2));
  EXPECT_EQ(*ShardIndexOf(3, {}, MeshOfText("<[], device_ids=[3]>")), 0);
}

TEST(ShardIndexOf, RejectsOtherDevices) {
  const ShardingMesh mesh = MeshOfText(R"(<["x"=2]>)");
  EXPECT_THAT(InvalidArgument(ShardIndexOf(2, {}, mesh).status()),
              AllOf(HasSubstr("device 2"), HasSubstr(R"(<["x"=2]>)")));
  EXPECT_THAT(InvalidArgument(ShardIndexOf(-1, {}, mesh).status()),
              HasSubstr("device -1"));
  EXPECT_THAT(InvalidArgument(ShardIndexOf(0, {}, ShardingMesh()).status()),
              HasSubstr("device 0"));
}

TEST(RemainingAxes, AreInMeshOrder) {
  const AbstractMesh mesh =
      *AbstractMesh::Create({{"x", 12}, {"u", 1}, {"y", 2}, {"z", 3}});
  EXPECT_THAT(RemainingAxes({}, mesh),
              ElementsAre(Whole("x"), Whole("y"), Whole("z")));
  EXPECT_THAT(RemainingAxes({Whole("z"), Whole("x"), Whole("u")}, mesh),
              ElementsAre(Whole("y")));
  EXPECT_THAT(RemainingAxes({Part("x", 2, 3), Whole("y")}, mesh),
              ElementsAre(Part("x", 1, 2), Part("x", 6, 2), Whole("z")));
  EXPECT_THAT(RemainingAxes({Part("x", 6, 2), Part("x", 1, 3)}, mesh),
              ElementsAre(Part("x", 3, 2), Whole("y"), Whole("z")));
}

TEST(DeviceGroups, HasOneForEachIndexAlongTheOtherAxes) {
  const ShardingMesh two = MeshOfText(R"(<["x"=2, "y"=4]>)");
  EXPECT_EQ(DeviceGroups({Whole("y")}, two),
            (Groups{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(DeviceGroups({Part("y", 1, 2)}, two),
            (Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
  EXPECT_EQ(DeviceGroups({}, MeshOfText(R"(<["x"=2]>)")), (Groups{{0}, {1}}));
}

TEST(DeviceGroups, HasMembersInTheOrderOfTheAxes) {
  const ShardingMesh mesh = MeshOfText(R"(<["x"=2, "y"=4, "z"=2]>)");
  EXPECT_EQ(DeviceGroups({Whole("x"), Whole("y")}, mesh),
            (Groups{{0, 2, 4, 6, 8, 10, 12, 14}, {1, 3, 5, 7, 9, 11, 13, 15}}));
  EXPECT_EQ(DeviceGroups({Whole("y"), Whole("x")}, mesh),
            (Groups{{0, 8, 2, 10, 4, 12, 6, 14}, {1, 9, 3, 11, 5, 13, 7, 15}}));
}

TEST(DeviceGroups, AreDevicesAndNotPositions) {
  EXPECT_EQ(
      DeviceGroups({Whole("y")},
                   MeshOfText(R"(<["x"=2, "y"=2], device_ids=[3, 1, 2, 0]>)")),
      (Groups{{3, 1}, {2, 0}}));
  EXPECT_EQ(DeviceGroups({}, MeshOfText("<[], device_ids=[3]>")), Groups{{3}});
  EXPECT_THAT(DeviceGroups({}, ShardingMesh()), IsEmpty());
}

// The members of a group differ in their index along the axes, and the groups
// in that along the others.
TEST(DeviceGroups, PartTheDevicesOfAnyMesh) {
  RandomShardings random(/*seed=*/1);
  for (int round = 0; round < 300; ++round) {
    const ShardingMesh mesh = random.Mesh();
    if (mesh.device_count() > 200) continue;
    const std::vector<AxisRef> axes = random.Sharding(mesh, 1).dims[0].axes;
    const std::vector<AxisRef> others = RemainingAxes(axes, mesh.abstract());
    std::set<int64_t> devices;
    int64_t index = 0;
    for (const std::vector<int64_t>& group : DeviceGroups(axes, mesh)) {
      for (size_t i = 0; i < group.size(); ++i) {
        ASSERT_EQ(*ShardIndexOf(group[i], axes, mesh), i);
        ASSERT_EQ(*ShardIndexOf(group[i], others, mesh), index);
        devices.insert(group[i]);
      }
      ++index;
    }
    ASSERT_EQ(devices.size(), mesh.device_count());
  }
}

absl::StatusOr<std::vector<SourceTarget>> Pairs(absl::string_view mesh_from,
                                                absl::string_view from,
                                                absl::string_view mesh_to,
                                                absl::string_view to) {
  const auto sharding = [](absl::string_view text) {
    return *ParseSdySharding(absl::StrCat("<@mesh, ", text, ">"));
  };
  return PermutePairs(sharding(from), sharding(to), MeshOfText(mesh_from),
                      MeshOfText(mesh_to));
}

// The targets of the sources 0 .. n-1.
std::vector<int64_t> Targets(absl::string_view mesh_from,
                             absl::string_view from, absl::string_view mesh_to,
                             absl::string_view to) {
  const auto pairs = Pairs(mesh_from, from, mesh_to, to);
  std::vector<int64_t> targets;
  for (const SourceTarget& pair : *pairs) {
    EXPECT_EQ(pair.source, targets.size());
    targets.push_back(pair.target);
  }
  return targets;
}

TEST(PermutePairs, JoinDevicesOfTheSameShard) {
  constexpr absl::string_view kMesh = R"(<["x"=2, "y"=2]>)";
  constexpr absl::string_view kReversed =
      R"(<["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>)";
  EXPECT_THAT(Targets(kMesh, R"([{"x"}, {"y"}])", kMesh, R"([{"y"}, {"x"}])"),
              ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(
      Targets(kMesh, R"([{"x"}, {"y"}])", kReversed, R"([{"x"}, {"y"}])"),
      ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(Targets(kReversed, R"([{"x", "y"}])", kMesh, R"([{"y", "x"}])"),
              ElementsAre(3, 1, 2, 0));
}

TEST(PermutePairs, ReplicasKeepWhatIsRight) {
  constexpr absl::string_view kMesh = R"(<["x"=2, "y"=2]>)";
  EXPECT_THAT(Targets(kMesh, R"([{"x"}])", kMesh, R"([{"x"}])"),
              ElementsAre(0, 1, 2, 3));
  // 0 and 1 have the first half, which 0 and 2 are to have.
  EXPECT_THAT(Targets(kMesh, R"([{"x"}])", kMesh, R"([{"y"}])"),
              ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(Targets(R"(<["x"=2, "y"=3]>)", R"([{"x"}])",
                      R"(<["x"=2, "y"=3], device_ids=[5, 4, 3, 2, 1, 0]>)",
                      R"([{"x"}])"),
              ElementsAre(3, 4, 5, 0, 1, 2));
}

TEST(PermutePairs, PartialResultsAreNotMixedUp) {
  EXPECT_THAT(Targets(R"(<["x"=2, "y"=2]>)", R"([{}], unreduced={"x"})",
                      R"(<["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>)",
                      R"([{}], unreduced={"x"})"),
              ElementsAre(0, 2, 1, 3));
}

TEST(PermutePairs, RejectsOtherNumbersOfShardsAndOtherDevices) {
  constexpr absl::string_view kMesh = R"(<["x"=2, "y"=3]>)";
  EXPECT_THAT(
      InvalidArgument(Pairs(kMesh, R"([{"x"}])", kMesh, R"([{"y"}])").status()),
      AllOf(HasSubstr("[2, 1]"), HasSubstr("[3, 1]")));
  EXPECT_THAT(InvalidArgument(Pairs(kMesh, R"([{"x"}], unreduced={"y"})", kMesh,
                                    R"([{"x"}])")
                                  .status()),
              AllOf(HasSubstr("[2, 3]"), HasSubstr("[2, 1]")));
  EXPECT_THAT(
      InvalidArgument(
          Pairs(kMesh, "[{}]", "<[], device_ids=[0]>", "[{}]").status()),
      AllOf(HasSubstr(R"(<["x"=2, "y"=3]>)"),
            HasSubstr("<[], device_ids=[0]>")));
}

// Each device is a source and a target once, gets the shard that it is to have,
// and sends its own away only if it does not need it.
TEST(PermutePairs, JoinTheShardsOfAnyMesh) {
  RandomShardings random(/*seed=*/2);
  for (int round = 0; round < 300; ++round) {
    const ShardingMesh from = random.Mesh();
    if (from.device_count() > 200) continue;
    std::vector<int64_t> ids;
    for (int64_t i = 0; i < from.device_count(); ++i) ids.push_back(i);
    random.Shuffle(ids);
    const ShardingMesh to = *ShardingMesh::Create(from.abstract(), ids);
    const TensorSharding sharding = random.Sharding(from, 2);
    const auto shard_of = [&](int64_t device, const ShardingMesh& mesh) {
      std::vector<int64_t> shard = {
          *ShardIndexOf(device, sharding.unreduced, mesh)};
      for (const DimSharding& dim : sharding.dims) {
        shard.push_back(*ShardIndexOf(device, dim.axes, mesh));
      }
      return shard;
    };
    std::set<int64_t> targets;
    int64_t source = 0;
    const auto pairs = PermutePairs(sharding, sharding, from, to);
    for (const SourceTarget& pair : *pairs) {
      ASSERT_EQ(pair.source, source++);
      ASSERT_TRUE(targets.insert(pair.target).second);
      ASSERT_EQ(shard_of(pair.source, from), shard_of(pair.target, to));
      ASSERT_EQ(pair.source == pair.target,
                shard_of(pair.source, from) == shard_of(pair.source, to));
    }
    ASSERT_EQ(targets.size(), from.device_count());
  }
}

}  // namespace
}  // namespace lockstep::internal
