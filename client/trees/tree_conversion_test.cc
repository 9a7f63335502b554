#include "client/trees/tree_conversion.h"

#include <gtest/gtest.h>

#include "client/trees/tree_map.h"
#include "client/trees/tree_structs_testing.h"

namespace lockstep::internal {
namespace {

// Whose members are not in the order of their names.
template <typename T>
struct Mixed {
  std::vector<T> z;
  T a = T();
  std::optional<T> m;
  LOCKSTEP_TREE_FIELDS(z, a, m)
};

TEST(TreeConversionTest, StructsAreMapsTuplesListsAndAbsentValuesNothing) {
  const Tree<int> tree =
      TreeOf<int>(std::tuple(Mixed<int>{{1, 2}, 3, {}}, Layer<int>{4, 5}, 6));
  EXPECT_EQ(tree_structure(tree).ToString(),
            "PyTreeDef([{'a': *, 'm': None, 'z': [*, *]}, "
            "{'bias': *, 'weight': *}, *])");
  EXPECT_EQ(tree[0]["z"][1].leaf(), 2);
  EXPECT_EQ(tree[1]["bias"].leaf(), 5);
}

TEST(TreeConversionTest, CallsOnTheTreeKeepContainersAndTheirOrder) {
  const Mixed<int> mixed{{1, 2}, 3, 4};
  const auto negative = CallOnTree<int>(
      mixed, [](const Tree<int>& tree) -> absl::StatusOr<Tree<int>> {
        return tree.Transform(
            [](int leaf, const std::string&) { return -leaf; });
      });
  ASSERT_TRUE(negative.ok()) << negative.status();
  EXPECT_EQ(tree_leaves(*negative), (std::vector<int>{-1, -2, -3, -4}));
  EXPECT_EQ(negative->m, -4);
}

TEST(TreeConversionTest, CallsMayGiveOtherLeaves) {
  const Mixed<int> mixed{{1, 2}, 3, 4};
  const auto texts = CallOnTree<int, std::string>(
      mixed, [](const Tree<int>& tree) -> absl::StatusOr<Tree<std::string>> {
        return tree.Transform(
            [](int leaf, const std::string&) { return std::to_string(leaf); });
      });
  ASSERT_TRUE(texts.ok()) << texts.status();
  EXPECT_EQ(tree_leaves(*texts),
            (std::vector<std::string>{"1", "2", "3", "4"}));
  EXPECT_EQ(texts->m, "4");
}

TEST(TreeConversionTest, ErrorsOfTheCallAreItsResult) {
  const auto result = CallOnTree<int>(
      Layer<int>{1, 2}, [](const Tree<int>&) -> absl::StatusOr<Tree<int>> {
        return absl::InternalError("no");
      });
  EXPECT_EQ(result.status(), absl::InternalError("no"));
}

}  // namespace
}  // namespace lockstep::internal
