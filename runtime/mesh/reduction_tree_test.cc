#include "runtime/mesh/reduction_tree.h"

#include <map>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

std::string Shown(int64_t n) {
  return ReduceTree(
      n, [](int64_t i) { return std::to_string(i); },
      [](std::string left, std::string right) {
        return "(" + left + "+" + right + ")";
      });
}

// K-4.
TEST(ReduceTree, SplitsAtTheLargestPowerOfTwoBelow) {
  EXPECT_EQ(Shown(1), "0");
  EXPECT_EQ(Shown(2), "(0+1)");
  EXPECT_EQ(Shown(3), "((0+1)+2)");
  EXPECT_EQ(Shown(4), "((0+1)+(2+3))");
  EXPECT_EQ(Shown(5), "(((0+1)+(2+3))+4)");
  EXPECT_EQ(Shown(6), "(((0+1)+(2+3))+(4+5))");
  EXPECT_EQ(Shown(7), "(((0+1)+(2+3))+((4+5)+6))");
  EXPECT_EQ(Shown(9), "((((0+1)+(2+3))+((4+5)+(6+7)))+8)");
}

// K-4.
TEST(ReduceTree, GoldenSumWhoseLeftToRightOrderGivesAnotherResult) {
  const float members[] = {1e8f, 1, -1e8f, 1};
  EXPECT_EQ(ReduceTree(
                4, [&](int64_t i) { return members[i]; },
                [](float a, float b) { return a + b; }),
            0.0f);
}

// K-4.
TEST(ReductionNodes, ReplayToTheSameTree) {
  for (int64_t n = 1; n <= 40; ++n) {
    std::vector<std::string> slots;
    for (int64_t i = 0; i < n; ++i) slots.push_back(std::to_string(i));
    std::map<std::pair<int64_t, int64_t>, int> heights;
    for (int64_t i = 0; i < n; ++i) heights[{i, i + 1}] = 0;
    for (const ReductionNode& node : ReductionNodes(n)) {
      slots[node.begin] =
          "(" + slots[node.begin] + "+" + slots[node.middle] + ")";
      ASSERT_TRUE(heights.contains({node.begin, node.middle}));
      ASSERT_TRUE(heights.contains({node.middle, node.end}));
      EXPECT_EQ(node.height, 1 + std::max(heights[{node.begin, node.middle}],
                                          heights[{node.middle, node.end}]));
      heights[{node.begin, node.end}] = node.height;
    }
    EXPECT_EQ(slots[0], Shown(n));
    EXPECT_EQ(static_cast<int64_t>(ReductionNodes(n).size()), n - 1);
  }
}

}  // namespace
}  // namespace lockstep::internal
