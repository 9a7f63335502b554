// Y-15 of docs/behaviour/shardings.md: the mesh of an op, found again.
#include "runtime/sharding/common_mesh_cache.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {
namespace {

using Reference = std::variant<std::string, ShardingMesh>;

MeshTable Meshes() {
  MeshTable meshes;
  EXPECT_TRUE(meshes.Add("ab", MeshOfText(R"(<["a"=2, "b"=2]>)")).ok());
  EXPECT_TRUE(meshes.Add("again", MeshOfText(R"(<["a"=2, "b"=2]>)")).ok());
  EXPECT_TRUE(meshes.Add("c", MeshOfText(R"(<["c"=4]>)")).ok());
  EXPECT_TRUE(meshes.Add("empty", ShardingMesh()).ok());
  EXPECT_TRUE(meshes.Add("one", MeshOfText("<[], device_ids=[0]>")).ok());
  return meshes;
}

// All triples, twice, in both orders, so that what the cache has kept meets
// what is asked.
TEST(CommonMeshCache, FindsWhatFindCommonMeshFinds) {
  const MeshTable meshes = Meshes();
  const std::vector<std::optional<Reference>> references = {
      std::nullopt,
      Reference("ab"),
      Reference("again"),
      Reference("c"),
      Reference("empty"),
      Reference("one"),
      Reference(MeshOfText(R"(<["a"=2, "b"=2]>)")),
      Reference(MeshOfText(R"(<["d"=2, "b"=2]>)"))};
  const auto sharding = [](const std::optional<Reference>& reference) {
    return reference.has_value()
               ? std::optional(UnshardedOn(*reference, 1, /*is_closed=*/false))
               : std::nullopt;
  };
  CommonMeshCache cache(meshes);
  for (int round = 0; round < 2; ++round) {
    for (const auto& a : references) {
      for (const auto& b : references) {
        for (const auto& c : references) {
          const OpShardings shardings = {.operands = {sharding(a), sharding(b)},
                                         .results = {sharding(c)}};
          const auto expected = FindCommonMesh(shardings, meshes);
          const auto found = cache.Find(shardings);
          ASSERT_TRUE(expected.ok() && found.ok());
          ASSERT_EQ(*found != nullptr, expected->has_value());
          if (*found == nullptr) continue;
          EXPECT_EQ((*found)->reference, (*expected)->reference);
          EXPECT_EQ((*found)->mesh, (*expected)->mesh);
        }
      }
    }
  }
}

TEST(CommonMeshCache, AMeshThatIsNotDeclaredIsAnErrorEachTime) {
  const MeshTable meshes = Meshes();
  CommonMeshCache cache(meshes);
  const OpShardings shardings = {
      .operands = {UnshardedOn("other", 1, /*is_closed=*/false)},
      .results = {}};
  for (int i = 0; i < 2; ++i) {
    EXPECT_NE(InvalidArgument(cache.Find(shardings).status()).find("other"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace lockstep::internal
