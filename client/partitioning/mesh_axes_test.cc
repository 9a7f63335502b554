// T-3 and T-21 of docs/behaviour/partitioning.md.
#include "client/partitioning/mesh_axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "client/trees/tree_map.h"
#include "client/trees/tree_structs_testing.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Names = Tree<LogicalAxisNames>;

const LogicalAxisRules& SomeRules() {
  static const auto* const rules = new LogicalAxisRules{{"batch", "data"},
                                                        {"embed", nullptr},
                                                        {"vocab", "model"},
                                                        {"mlp", "model"}};
  return *rules;
}

TEST(MeshAxes, OfATreeOfNames_T21) {
  const auto axes = mesh_axes(
      Names::Map(
          {{"logits_dense", LogicalAxisNames("vocab", "embed")},
           {"mlp", Names::Map({{"wo", Names::Map({{"kernel",
                                                   LogicalAxisNames(
                                                       "embed", "mlp")}})}})}}),
      SomeRules());
  ASSERT_TRUE(axes.ok()) << axes.status();
  EXPECT_EQ((*axes)["logits_dense"].leaf(), PartitionSpec("model", nullptr));
  EXPECT_EQ((*axes)["mlp"]["wo"]["kernel"].leaf(),
            PartitionSpec(nullptr, "model"));
}

TEST(MeshAxes, NothingStaysNothing_T21) {
  const auto axes = mesh_axes(
      Names::Map({{"none", Names()},
                  {"map", Names::Map({})},
                  {"list", Names::List({Names(), LogicalAxisNames()})}}),
      SomeRules());
  ASSERT_TRUE(axes.ok()) << axes.status();
  EXPECT_EQ(tree_structure(*axes).ToString(),
            "PyTreeDef({'list': [None, *], 'map': {}, 'none': None})");
}

TEST(MeshAxes, NamesAreALeafOfContainers_T3_T21) {
  const std::map<std::string, Layer<LogicalAxisNames>> names = {
      {"layer", {LogicalAxisNames("embed", "mlp"), LogicalAxisNames("mlp")}}};
  EXPECT_EQ(tree_leaves(names).size(), 2);
  const auto axes = mesh_axes(names, SomeRules());
  ASSERT_TRUE(axes.ok()) << axes.status();
  EXPECT_EQ((*axes)["layer"]["weight"].leaf(), PartitionSpec(nullptr, "model"));
  EXPECT_EQ((*axes)["layer"]["bias"].leaf(), PartitionSpec("model"));
}

TEST(MeshAxes, NamesCountOnlyWhereAxesAreNamed_T21) {
  const Names names =
      Names::Map({{"a", LogicalAxisNames("embed", "mlp")},
                  {"list", Names::List({LogicalAxisNames("batch"), Names()})},
                  {"map", Names::Map({})}});
  const World world = WorldOf(1, 4);
  const auto without =
      Partitioner::Create({.num_partitions = 2}, world, HostId(0));
  const auto with = NamedAxisPartitioner::Create(
      {.num_partitions = 2, .logical_axis_rules = SomeRules()}, world,
      HostId(0));
  ASSERT_TRUE(without.ok() && with.ok());
  const auto open = mesh_axes(names, *without);
  ASSERT_TRUE(open.ok()) << open.status();
  const std::string form =
      "PyTreeDef({'a': None, 'list': [None, None], "
      "'map': {}})";
  EXPECT_EQ(tree_structure(*open).ToString(), form);
  EXPECT_EQ(tree_structure(logical_axes(names, *without)).ToString(), form);
  const auto axes = mesh_axes(names, *with);
  ASSERT_TRUE(axes.ok()) << axes.status();
  EXPECT_EQ((*axes)["a"].leaf(), PartitionSpec(nullptr, "model"));
  EXPECT_EQ((*axes)["list"][0].leaf(), PartitionSpec("data"));
  EXPECT_EQ(logical_axes(names, *with)["a"].leaf(),
            LogicalAxisNames("embed", "mlp"));
  const std::map<std::string, LogicalAxisNames> map = {
      {"a", LogicalAxisNames("mlp")}};
  EXPECT_EQ((*mesh_axes(map, *with))["a"].leaf(), PartitionSpec("model"));
  EXPECT_TRUE(tree_leaves(logical_axes(map, *without)).empty());
  // Without a rule, but with names, dimensions are not sharded.
  const auto no_rules = NamedAxisPartitioner::Create(
      {.num_partitions = 2, .logical_axis_rules = LogicalAxisRules{}}, world,
      HostId(0));
  ASSERT_TRUE(no_rules.ok()) << no_rules.status();
  EXPECT_EQ((*mesh_axes(names, *no_rules))["a"].leaf(),
            PartitionSpec(nullptr, nullptr));
}

TEST(MeshAxes, ErrorsNameThePath_T21) {
  const auto refused = mesh_axes(
      Names::Map({{"a", Names::List({LogicalAxisNames("mlp"),
                                     LogicalAxisNames("foo", "foo")})}}),
      SomeRules());
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.status().message()),
              AllOf(StartsWith("a/1: "), HasSubstr("('foo',)")));
}

}  // namespace
}  // namespace lockstep::internal
