// Y-22 of docs/behaviour/shardings.md: shardings after propagation.
#include "runtime/sharding/exported_sharding.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_verifier.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/op_sharding_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

struct DivisibleCase {
  absl::string_view mesh;
  std::vector<int64_t> shape;
  absl::string_view sharding;
  absl::string_view after;
};

TEST(DivisiblePrefix, KeepsTheAxesThatDivideTheDim) {
  constexpr absl::string_view kX4Y2 = R"(<["x"=4, "y"=2]>)";
  constexpr absl::string_view kX8Y3 = R"(<["x"=8, "y"=3]>)";
  const std::vector<DivisibleCase> cases = {
      {kX4Y2, {2}, R"([{"x"}])", R"([{"x":(1)2}])"},
      {kX4Y2, {3}, R"([{"x"}])", "[{}]"},
      {kX4Y2, {3}, R"([{"y"}])", "[{}]"},
      {kX4Y2, {4}, R"([{"x"}])", R"([{"x"}])"},
      {kX4Y2, {4}, R"([{"x", "y"}])", R"([{"x"}])"},
      {kX4Y2, {4}, R"([{"y", "x"}])", R"([{"y", "x":(1)2}])"},
      {kX4Y2, {8}, R"([{"y", "x", ?}])", R"([{"y", "x", ?}])"},
      {kX4Y2, {2, 3}, R"([{"x"}, {"y"}])", R"([{"x":(1)2}, {}])"},
      {kX4Y2, {0}, R"([{"x", "y"}])", R"([{"x", "y"}])"},
      {kX8Y3, {6}, R"([{"x", "y"}])", R"([{"x":(1)2}])"},
      {kX8Y3, {6}, R"([{"y", "x"}])", R"([{"y", "x":(1)2}])"},
      {kX8Y3, {6}, R"([{"x":(1)4}])", R"([{"x":(1)2}])"},
      {kX8Y3, {6}, R"([{"x":(2)4, ?}])", R"([{"x":(2)2, ?}])"},
      {R"(<["x"=24]>)", {6}, R"([{"x":(6)4}])", R"([{"x":(6)2}])"},
      {R"(<["u"=1, "x"=4]>)", {6}, R"([{"u", "x"}])", R"([{"u", "x":(1)2}])"},
      // Nothing else changes, but for a priority that may not stay.
      {kX4Y2,
       {2},
       R"([{"x"}p1], replicated={"y"})",
       R"([{"x":(1)2}p1], replicated={"y"})"},
      {kX4Y2,
       {3},
       R"([{"x", ?}p1], unreduced={"y"})",
       R"([{?}p1], unreduced={"y"})"},
      {kX4Y2, {3}, R"([{"x"}p1])", "[{}]"},
  };
  for (const DivisibleCase& c : cases) {
    SCOPED_TRACE(c.sharding);
    EXPECT_EQ(
        TextOfSharding(DivisiblePrefix(*ShardingOfText(c.sharding),
                                       MeshOfText(c.mesh).abstract(), c.shape)),
        c.after);
  }
}

// Any dim is divided evenly, by a prefix of its axes, and by no more than that
// another axis of it could be added to.
TEST(DivisiblePrefix, DividesEveryDim) {
  RandomShardings random(/*seed=*/11);
  int shortened = 0;
  for (int round = 0; round < 5000; ++round) {
    const ShardingMesh mesh = random.Mesh();
    const TensorSharding before = random.Sharding(mesh, random.Below(4));
    std::vector<int64_t> shape;
    for (int64_t i = 0; i < before.rank(); ++i) {
      shape.push_back(random.Below(40));
    }
    const TensorSharding after =
        DivisiblePrefix(before, mesh.abstract(), shape);
    ASSERT_TRUE(VerifySharding(after, mesh).ok()) << TextOfSharding(after);
    for (int64_t i = 0; i < before.rank(); ++i) {
      const DimSharding& dim = after.dims[i];
      ASSERT_EQ(shape[i] % dim.ShardCount(mesh.abstract()), 0);
      if (shape[i] % before.dims[i].ShardCount(mesh.abstract()) == 0) {
        ASSERT_EQ(dim, before.dims[i]);
      } else {
        ASSERT_TRUE(IsStrictPrefix(dim.axes, before.dims[i].axes));
        ++shortened;
      }
    }
    ASSERT_EQ(DivisiblePrefix(after, mesh.abstract(), shape), after);
  }
  EXPECT_GT(shortened, 1000);
}

TEST(WithoutSubAxesOfOpenDims, RemovesThemAndWhatFollows) {
  const auto without = [](absl::string_view text) {
    return TextOfSharding(WithoutSubAxesOfOpenDims(*ShardingOfText(text)));
  };
  EXPECT_EQ(without(R"([{"x":(1)2, "y", ?}, {"z"}])"), R"([{?}, {"z"}])");
  EXPECT_EQ(without(R"([{"y", "x":(1)2, ?}p2, {?}])"), R"([{"y", ?}p2, {?}])");
  EXPECT_EQ(without(R"([{"x", "z", ?}], replicated={"y":(1)2})"),
            R"([{"x", "z", ?}], replicated={"y":(1)2})");
  EXPECT_EQ(without(R"([{"y", "z":(4)2}, {"z":(2)2, "x"}])"),
            R"([{"y", "z":(4)2}, {"z":(2)2, "x"}])");
}

TEST(ClosedSharding, KeepsOnlyAxesOfDimsAndUnreducedOnes) {
  EXPECT_EQ(TextOfSharding(ClosedSharding(*ShardingOfText(
                R"([{"x", ?}p1, {?}, {"y"}], replicated={"z"}, )"
                R"(unreduced=max{"w"})"))),
            R"([{"x"}, {}, {"y"}], unreduced=max{"w"})");
}

MeshTable Meshes() {
  MeshTable meshes;
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"mesh", R"(<["a"=2, "b"=2]>)"},
      {"same", R"(<["a"=2, "b"=2]>)"},
      {"order", R"(<["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>)"},
      {"one", "<[], device_ids=[1]>"},
      {"another", "<[], device_ids=[2]>"}};
  for (const auto& [name, text] : texts) {
    EXPECT_TRUE(meshes.Add(name, MeshOfText(text)).ok());
  }
  return meshes;
}

// `sharding` as in "order: [{\"a\"}]"; "none".
std::optional<TensorSharding> OnMesh(absl::string_view text) {
  const size_t colon = text.find(": ");
  if (colon == absl::string_view::npos) return std::nullopt;
  std::optional<TensorSharding> sharding =
      ShardingOfText(text.substr(colon + 2));
  sharding->mesh = std::string(text.substr(0, colon));
  return sharding;
}

TEST(AreEquivalent, IfEveryDeviceHasTheSame) {
  struct Row {
    absl::string_view a;
    absl::string_view b;
    bool expected = true;
  };
  const std::vector<Row> rows = {
      {"none", "none"},
      {"none", "mesh: [{?}, {}]"},
      {"mesh: [{}]", "order: [{}]"},
      {R"(mesh: [{"a"}])", R"(mesh: [{"a", ?}p1], replicated={"b"})"},
      {R"(mesh: [{"a"}])", R"(same: [{"a"}])"},
      {R"(mesh: [{"a"}])", R"(order: [{"a"}])", false},
      {R"(mesh: [{"a"}])", R"(mesh: [{"b"}])", false},
      {R"(mesh: [{"a"}, {}])", R"(mesh: [{}, {"a"}])", false},
      {R"(mesh: [{"a", "b"}])", R"(mesh: [{"b", "a"}])", false},
      {"none", R"(mesh: [{"a"}])", false},
      {"none", R"(mesh: [{}], unreduced={"a"})", false},
      {R"(mesh: [{}], unreduced={"a"})", R"(mesh: [{?}], unreduced={"a"})"},
      {R"(mesh: [{}], unreduced={"a"})", R"(mesh: [{}], unreduced={"b"})",
       false},
      {R"(mesh: [{}], unreduced={"a"})", R"(mesh: [{}], unreduced=max{"a"})",
       false},
      {"one: []", "one: []"},
      {"one: []", "another: []", false},
      {"one: []", "mesh: [{}]", false},
      {"one: []", "none", false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.a);
    SCOPED_TRACE(row.b);
    EXPECT_EQ(*AreEquivalent(OnMesh(row.a), OnMesh(row.b), Meshes()),
              row.expected);
    EXPECT_EQ(*AreEquivalent(OnMesh(row.b), OnMesh(row.a), Meshes()),
              row.expected);
  }
}

TEST(AreEquivalent, AMeshThatIsNotDeclaredIsAnError) {
  EXPECT_THAT(InvalidArgument(
                  AreEquivalent(OnMesh("none"), OnMesh("lost: [{}]"), Meshes())
                      .status()),
              HasSubstr("lost"));
}

}  // namespace
}  // namespace lockstep::internal
