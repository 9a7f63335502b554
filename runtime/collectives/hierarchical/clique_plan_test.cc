#include "runtime/collectives/hierarchical/clique_plan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

CliqueKey Key(const std::vector<int>& host_of_rank) {
  std::vector<CliqueMember> members;
  for (size_t rank = 0; rank < host_of_rank.size(); ++rank) {
    members.push_back({GlobalDeviceId(static_cast<int32_t>(rank)),
                       HostId(host_of_rank[rank]), Incarnation(1)});
  }
  return CliqueKey(std::move(members));
}

TEST(CliquePlan, BlocksAreOneSubtreeEach) {
  CliquePlan plan(Key({0, 0, 0, 0, 1, 1, 1, 1}), HostId(1));
  EXPECT_EQ(plan.host_count(), 2);
  EXPECT_EQ(plan.self(), 1);
  EXPECT_THAT(plan.local_ranks(), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(plan.subtrees(0), ElementsAre(TreeNode{0, 4}));
  EXPECT_THAT(plan.subtrees(1), ElementsAre(TreeNode{4, 8}));
}

TEST(CliquePlan, InterleavedRanksAreSubtreesOfOne) {
  CliquePlan plan(Key({3, 9, 3, 9}), HostId(3));
  EXPECT_EQ(plan.host(0), HostId(3));
  EXPECT_THAT(plan.subtrees(0), ElementsAre(TreeNode{0, 1}, TreeNode{2, 3}));
  EXPECT_THAT(plan.subtrees(1), ElementsAre(TreeNode{1, 2}, TreeNode{3, 4}));
  EXPECT_EQ(plan.FindSubtree({2, 3})->subtree, 1);
  EXPECT_FALSE(plan.FindSubtree({2, 4}).has_value());
}

// 4+2+2 members, and a block that does not fit the tree: ranks 1..4 of 6.
TEST(CliquePlan, UnevenHosts) {
  CliquePlan uneven(Key({0, 0, 0, 0, 1, 1, 2, 2}), HostId(0));
  EXPECT_THAT(uneven.subtrees(1), ElementsAre(TreeNode{4, 6}));
  EXPECT_THAT(uneven.subtrees(2), ElementsAre(TreeNode{6, 8}));
  CliquePlan shifted(Key({0, 1, 1, 1, 1, 0}), HostId(0));
  EXPECT_THAT(shifted.subtrees(1),
              ElementsAre(TreeNode{1, 2}, TreeNode{2, 4}, TreeNode{4, 5}));
  EXPECT_THAT(shifted.subtrees(0), ElementsAre(TreeNode{0, 1}, TreeNode{5, 6}));
}

TEST(CliquePlan, HostsPairUpWhereTheTreeHasThemInHalves) {
  const auto pairs_up = [](const std::vector<int>& host_of_rank) {
    return CliquePlan(Key(host_of_rank), HostId(host_of_rank[0])).pairs_up();
  };
  EXPECT_TRUE(pairs_up({0, 1}));
  EXPECT_TRUE(pairs_up({7, 3, 5, 1}));
  EXPECT_TRUE(pairs_up({0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_TRUE(pairs_up({0, 0, 1}));
  EXPECT_FALSE(pairs_up({0, 1, 2}));
  EXPECT_FALSE(pairs_up({0, 1, 0, 1}));
  EXPECT_FALSE(pairs_up({0, 0, 0, 0, 1, 1, 2, 2}));
  // Of 12 ranks the left half is 8.
  EXPECT_FALSE(pairs_up({0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}));
}

}  // namespace
}  // namespace lockstep::internal
