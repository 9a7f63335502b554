// Y-15, Y-22 of docs/behaviour/shardings.md: the mesh of an op.
#include "runtime/sharding/common_mesh.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

MeshTable Meshes() {
  struct Row {
    absl::string_view name;
    absl::string_view mesh;
  };
  MeshTable meshes;
  for (const Row& row :
       {Row{"m", R"(<["a"=2, "b"=2]>)"}, Row{"same", R"(<["a"=2, "b"=2]>)"},
        Row{"other", R"(<["a"=4]>)"},
        Row{"order", R"(<["a"=2, "b"=2], device_ids=[3, 2, )"
                     R"(1, 0]>)"},
        Row{"empty", "<[]>"}, Row{"maximal", "<[], device_ids=[0]>"}}) {
    EXPECT_TRUE(meshes.Add(std::string(row.name), MeshOfText(row.mesh)).ok());
  }
  return meshes;
}

// Of an operand on each mesh and one without a sharding.
absl::StatusOr<std::optional<CommonMesh>> MeshOf(
    const std::vector<std::string>& names) {
  OpShardings shardings = {.operands = {std::nullopt}, .results = {}};
  for (const std::string& name : names) {
    shardings.operands.push_back(UnshardedOn(name, 0, /*is_closed=*/true));
  }
  return FindCommonMesh(shardings, Meshes());
}

std::string NameOf(const std::vector<std::string>& names) {
  const std::optional<CommonMesh> mesh = *MeshOf(names);
  if (!mesh.has_value()) return "none";
  EXPECT_EQ(mesh->mesh,
            **Meshes().Find(std::get<std::string>(mesh->reference)));
  return std::get<std::string>(mesh->reference);
}

TEST(CommonMesh, IsTheFirstThatIsNotEmpty) {
  EXPECT_EQ(NameOf({"m"}), "m");
  EXPECT_EQ(NameOf({"m", "same"}), "m");
  EXPECT_EQ(NameOf({"empty", "same", "m"}), "same");
  EXPECT_EQ(NameOf({"m", "empty"}), "m");
  EXPECT_EQ(NameOf({"empty"}), "empty");
}

TEST(CommonMesh, IsNoneWhereNothingIsPropagated) {
  EXPECT_EQ(NameOf({}), "none");
  EXPECT_EQ(NameOf({"m", "other"}), "none");
  EXPECT_EQ(NameOf({"m", "order"}), "none");
  EXPECT_EQ(NameOf({"maximal"}), "none");
  EXPECT_EQ(NameOf({"empty", "maximal"}), "none");
  EXPECT_EQ(NameOf({"m", "maximal"}), "none");
}

TEST(CommonMesh, AMeshThatIsNotDeclaredIsAnError) {
  EXPECT_THAT(InvalidArgument(MeshOf({"m", "lost"}).status()),
              HasSubstr("lost"));
}

TEST(CommonMesh, MayBeWrittenInTheSharding) {
  const ShardingMesh mesh = MeshOfText(R"(<["a"=2]>)");
  const std::optional<CommonMesh> common = *FindCommonMesh(
      {.operands = {UnshardedOn(mesh, 1, /*is_closed=*/false)}, .results = {}},
      MeshTable());
  EXPECT_EQ(std::get<ShardingMesh>(common->reference), mesh);
  EXPECT_EQ(common->mesh, mesh);
}

// Of operands whose only dim has the axes, on the mesh.
std::string MostFrequentName(
    const std::vector<std::pair<std::string, std::string>>& operands) {
  OpShardings shardings = {.operands = {std::nullopt}, .results = {}};
  for (const auto& [name, axes] : operands) {
    TensorSharding sharding = UnshardedOn(name, 1, /*is_closed=*/true);
    if (!axes.empty()) sharding.dims[0].axes.emplace_back(axes);
    shardings.operands.push_back(sharding);
  }
  const std::optional<CommonMesh> mesh = *MostFrequentMesh(shardings, Meshes());
  if (!mesh.has_value()) return "none";
  EXPECT_EQ(mesh->mesh,
            **Meshes().Find(std::get<std::string>(mesh->reference)));
  return std::get<std::string>(mesh->reference);
}

TEST(MostFrequentMesh, IsThatOfMostShardingsWithAxes) {
  EXPECT_EQ(MostFrequentName({{"m", "a"}, {"order", "a"}, {"order", "b"}}),
            "order");
  EXPECT_EQ(MostFrequentName({{"order", "a"}, {"m", "a"}, {"m", "b"}}), "m");
  EXPECT_EQ(MostFrequentName({{"m", ""}, {"m", ""}, {"order", "b"}}), "order");
  // Equal meshes count together, whatever their names.
  EXPECT_EQ(MostFrequentName(
                {{"order", "a"}, {"m", "a"}, {"same", "a"}, {"empty", ""}}),
            "m");
}

TEST(MostFrequentMesh, OfSeveralIsTheFirstThatHasSoMany) {
  EXPECT_EQ(MostFrequentName({{"order", "a"}, {"m", "a"}}), "order");
  EXPECT_EQ(MostFrequentName(
                {{"m", "a"}, {"order", "a"}, {"order", "b"}, {"m", "b"}}),
            "order");
  EXPECT_EQ(MostFrequentName({{"empty", ""}, {"order", ""}, {"m", ""}}),
            "order");
}

TEST(MostFrequentMesh, IsNoneWhereAxesDiffer) {
  EXPECT_EQ(MostFrequentName({}), "none");
  EXPECT_EQ(MostFrequentName({{"m", "a"}, {"other", "a"}}), "none");
  EXPECT_EQ(MostFrequentName({{"maximal", ""}}), "none");
  EXPECT_EQ(MostFrequentName({{"m", "a"}, {"maximal", ""}}), "none");
  EXPECT_EQ(MostFrequentName({{"empty", ""}, {"maximal", ""}}), "none");
}

}  // namespace
}  // namespace lockstep::internal
