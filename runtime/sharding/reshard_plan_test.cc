// Y-21 of docs/behaviour/shardings.md.
#include "runtime/sharding/reshard_plan.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/reshard_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// `mesh`, on which `from` is, has that of `to` behind an arrow if it is another
// one, @other.
absl::StatusOr<ReshardPlan> PlanOf(absl::string_view mesh,
                                   const std::vector<int64_t>& shape,
                                   absl::string_view from,
                                   absl::string_view to) {
  const std::vector<absl::string_view> texts = absl::StrSplit(mesh, " -> ");
  MeshTable meshes;
  EXPECT_TRUE(meshes.Add("mesh", MeshOfShortText(texts.front())).ok());
  EXPECT_TRUE(meshes.Add("other", MeshOfShortText(texts.back())).ok());
  return PlanReshard(
      ShardingOfShortText(from),
      ShardingOfShortText(to, texts.size() == 1 ? "mesh" : "other"), meshes,
      shape);
}

std::vector<std::string> StepsOf(absl::string_view mesh,
                                 const std::vector<int64_t>& shape,
                                 absl::string_view from, absl::string_view to) {
  const absl::StatusOr<ReshardPlan> plan = PlanOf(mesh, shape, from, to);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.ok() ? ShortTexts(*plan) : std::vector<std::string>();
}

struct ReshardCase {
  std::string text;
  std::vector<std::string> steps;
};

std::vector<ReshardCase> ReadCases() {
  std::ifstream in("runtime/sharding/reshard_cases.txt");
  std::vector<ReshardCase> cases;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == ' ') {
      cases.back().steps.push_back(line.substr(2));
    } else {
      cases.emplace_back().text = std::move(line);
    }
  }
  return cases;
}

TEST(PlanReshard, HasTheStepsOfShardy) {
  const std::vector<ReshardCase> cases = ReadCases();
  EXPECT_EQ(cases.size(), 96);
  for (const ReshardCase& reshard : cases) {
    SCOPED_TRACE(reshard.text);
    const std::vector<std::string> parts = absl::StrSplit(reshard.text, " | ");
    const std::vector<std::string> ends = absl::StrSplit(parts[2], " -> ");
    EXPECT_THAT(
        StepsOf(parts[0], NumbersOfText(parts[1], 'x'), ends[0], ends[1]),
        ElementsAreArray(reshard.steps));
  }
}

TEST(PlanReshard, AStepSaysItsAxesAndItsResult) {
  const ReshardPlan plan = *PlanOf("x2,y2", {16, 8}, "[x .]~y", "[. x?]~y");
  ReshardStep expected;
  expected.kind = ReshardStep::Kind::kMove;
  expected.moves = {{.axes = {AxisRef("x")}, .source_dim = 0, .target_dim = 1}};
  expected.result = ShardingOfShortText("[. x]~y");
  EXPECT_THAT(plan.steps, ElementsAre(expected));
}

TEST(PlanReshard, ResultsAreClosedWithoutPrioritiesAndReplicatedAxes) {
  TensorSharding from = ShardingOfShortText("[x? ?]");
  from.dims[0].priority = 1;
  from.replicated = {AxisRef("y")};
  TensorSharding to = ShardingOfShortText("[x? z?]");
  to.dims[1].priority = 2;
  to.replicated = {AxisRef("y")};
  MeshTable meshes;
  ASSERT_TRUE(meshes.Add("mesh", MeshOfShortText("x2,y2,z2")).ok());
  const ReshardPlan plan = *PlanReshard(from, to, meshes, {4, 4});
  ASSERT_EQ(plan.steps.size(), 1);
  EXPECT_EQ(plan.steps[0].result, ShardingOfShortText("[x z]"));
}

TEST(PlanReshard, AxesThatCannotCoexistAreGatheredFirst) {
  EXPECT_THAT(StepsOf("x6", {12}, "[x(1)2]", "[x(1)3]"),
              ElementsAre("gather [x(1)2] => [.]", "slice [x(1)3] => [x(1)3]"));
  // They do not overlap, but 2 * 2 parts of 6 there are not.
  EXPECT_THAT(
      StepsOf("x6", {12, 12}, "[x(1)2 .]", "[. x(3)2]"),
      ElementsAre("gather [x(1)2 .] => [. .]", "slice [. x(3)2] => [. x(3)2]"));
  // All of the dim, and no other one.
  EXPECT_THAT(StepsOf("x6,y2,z2", {12, 12}, "[y,x(1)2 z]", "[y,x(1)3 z]"),
              ElementsAre("gather [y,x(1)2 .] => [. z]",
                          "slice [y,x(1)3 .] => [y,x(1)3 z]"));
  EXPECT_THAT(
      StepsOf("x6,y2 -> x6,y2@11,10,9,8,7,6,5,4,3,2,1,0", {12, 12}, "[x(1)2 y]",
              "[x(1)3 y]"),
      ElementsAre("gather [x(1)2 .] => [. y]", "slice [x(1)3 .] => [x(1)3 y]",
                  "permute => @other [x(1)3 y]"));
}

TEST(PlanReshard, SizesWithoutCommonDivisorsAreGatheredInTheEnd) {
  EXPECT_THAT(StepsOf("x6,y8,z6", {48}, "[z,x]", "[y]"),
              ElementsAre("slice [y(1)2] => [z,x,y(1)2]",
                          "gather [z,x,y(1)2] => [.]", "slice [y] => [y]"));
}

// A third one, where Shardy has at most two.
TEST(PlanReshard, OddSizesTakeSeveralRounds) {
  EXPECT_THAT(
      StepsOf("x3,y2,z6", {48, 32}, "[z(3)2,y z(1)3]", "[z y]"),
      ElementsAre("move y:0>1 => [z(3)2 z(1)3,y]", "permute => [z(3)2 y,z(1)3]",
                  "move z(1)3:1>0 => [z(3)2,z(1)3 y]", "permute => [z y]"));
}

TEST(PlanReshard, AxesOfSizeOneAreLeftOut) {
  EXPECT_THAT(StepsOf("x1,y2", {4, 4}, "[x,y .]", "[y x]~x"), IsEmpty());
  EXPECT_THAT(StepsOf("x1,y2", {4, 4}, "[y,x .]", "[. x,y]"),
              ElementsAre("move y:0>1 => [. y]"));
  EXPECT_THAT(StepsOf("x1,y2 -> z2", {4, 4}, "[x .]", "[. .]"), IsEmpty());
}

TEST(PlanReshard, AnEmptyMeshIsThatOfTheOther) {
  EXPECT_THAT(StepsOf("empty -> x2,y2", {4, 4}, "[. .]", "[x .]"),
              ElementsAre("slice [x .] => @other [x .]"));
  EXPECT_THAT(StepsOf("x2,y2 -> empty", {4, 4}, "[x .]", "[. .]"),
              ElementsAre("gather [x .] => [. .]"));
}

TEST(PlanReshard, EqualMeshesOfOtherNamesAreOne) {
  EXPECT_THAT(StepsOf("x2,y2 -> x2,y2", {4, 4}, "[x .]", "[x? .]"), IsEmpty());
  EXPECT_THAT(StepsOf("x2,y2 -> x2,y2", {4, 4}, "[x .]", "[. x]"),
              ElementsAre("move x:0>1 => @other [. x]"));
}

TEST(PlanReshard, DevicesInAnotherOrderArePermutedOnce) {
  constexpr absl::string_view kMesh = "x2,y2 -> x2,y2@3,2,1,0";
  EXPECT_THAT(StepsOf(kMesh, {4}, "[.]~x", "[.]~x"),
              ElementsAre("permute => @other [.]~x"));
  EXPECT_THAT(StepsOf(kMesh, {4}, "[x]", "[.]"),
              ElementsAre("gather [x] => [.]"));
}

TEST(PlanReshard, SingleDevicesAreReachedByTransfers) {
  EXPECT_THAT(StepsOf("@1 -> @1", {4}, "[]", "[]"), IsEmpty());
  EXPECT_THAT(StepsOf("@1 -> @2", {4}, "[]", "[]"), ElementsAre("transfer"));
}

TEST(PlanReshard, OtherMeshesAreReachedByTransfers) {
  EXPECT_THAT(StepsOf("x2,y2 -> a4", {4}, "[.]", "[a]"),
              ElementsAre("transfer"));
  EXPECT_THAT(StepsOf("x2,y2 -> a4", {4}, "[x]~y", "[.]~a"),
              ElementsAre("transfer"));
}

TEST(PlanReshard, RejectsOtherRanks) {
  EXPECT_EQ(InvalidArgument(PlanOf("x2", {4, 4}, "[x]", "[. x]").status()),
            "a tensor of rank 2 has a sharding of 1 dimensions");
  EXPECT_EQ(InvalidArgument(PlanOf("x2", {4}, "[x]", "[. x]").status()),
            "a tensor of rank 1 has a sharding of 2 dimensions");
}

TEST(PlanReshard, RejectsOtherUnreducedAxes) {
  EXPECT_THAT(InvalidArgument(PlanOf("x2,y2", {4}, "[x]~y", "[x]").status()),
              AllOf(HasSubstr("{\"y\"}"), HasSubstr("{}")));
  EXPECT_THAT(InvalidArgument(PlanOf("x2,y2", {4}, "[x]", "[.]~x").status()),
              AllOf(HasSubstr("{}"), HasSubstr("{\"x\"}")));
  TensorSharding max = ShardingOfShortText("[.]~y");
  max.reduction = UnreducedKind::kMax;
  MeshTable meshes;
  ASSERT_TRUE(meshes.Add("mesh", MeshOfShortText("x2,y2")).ok());
  EXPECT_THAT(
      InvalidArgument(
          PlanReshard(ShardingOfShortText("[x]~y"), max, meshes, {4}).status()),
      HasSubstr("{\"y\"}"));
}

TEST(PlanReshard, RejectsMeshesThatAreNotDeclared) {
  const TensorSharding sharding = ShardingOfShortText("[x]");
  EXPECT_THAT(
      InvalidArgument(PlanReshard(sharding, sharding, {}, {4}).status()),
      HasSubstr("mesh"));
}

}  // namespace
}  // namespace lockstep::internal
