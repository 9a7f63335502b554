// T-4 and S-4 of docs/behaviour/partitioning.md.
#include "client/partitioning/mesh_context.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

TEST(MeshContext, TheInnermostIsInScope_S4) {
  const Mesh row = MeshOf(WorldOf(1, 4), {4}, {"x"});
  const Mesh square = MeshOf(WorldOf(1, 4), {2, 2}, {"x", "y"});
  EXPECT_EQ(global_mesh(), nullptr);
  EXPECT_EQ(global_annotation_shardings(), nullptr);
  {
    const MeshContext outer(row,
                            {{"activation", RuleOrSpec(PartitionSpec("x"))}});
    EXPECT_EQ(*global_mesh(), row);
    EXPECT_TRUE(global_annotation_shardings()->contains("activation"));
    {
      const MeshContext inner(square);
      EXPECT_EQ(*global_mesh(), square);
      EXPECT_TRUE(global_annotation_shardings()->empty());
    }
    EXPECT_EQ(*global_mesh(), row);
    EXPECT_TRUE(global_annotation_shardings()->contains("activation"));
  }
  EXPECT_EQ(global_mesh(), nullptr);
}

TEST(MeshContext, IsOfItsThread_S4) {
  const MeshContext context(MeshOf(WorldOf(1, 4), {4}, {"x"}));
  std::thread([] { EXPECT_EQ(global_mesh(), nullptr); }).join();
}

TEST(MeshContext, AnEmptyMeshIsNone_T4) {
  EXPECT_FALSE(global_mesh_defined());
  const MeshContext outer(MeshOf(WorldOf(1, 4), {4}, {"x"}));
  EXPECT_TRUE(global_mesh_defined());
  const MeshContext inner((Mesh()));
  EXPECT_FALSE(global_mesh_defined());
}

}  // namespace
}  // namespace lockstep::internal
