#include "client/trees/tree_prefix.h"

#include <gtest/gtest.h>

#include "client/trees/tree_conversion.h"
#include "client/trees/tree_map.h"
#include "client/trees/tree_structs_testing.h"

namespace lockstep::internal {
namespace {

using Specs = Tree<std::string>;

Tree<int> Layers() {
  return TreeOf<int>(std::vector<Layer<int>>{{1, 2}, {3, {}}});
}

TEST(TreePrefixTest, ALeafStandsForAllBelowIt) {
  const auto specs = BroadcastPrefix(Specs::List({Specs("x"), Specs()}),
                                     Layers(), std::string("none"));
  ASSERT_TRUE(specs.ok()) << specs.status();
  EXPECT_EQ(tree_structure(*specs), tree_structure(Layers()));
  EXPECT_EQ(tree_leaves(*specs), (std::vector<std::string>{"x", "x", "none"}));
}

TEST(TreePrefixTest, AStructOfSpecsIsAPrefixOfAStructOfValues) {
  const auto specs =
      BroadcastPrefix(TreeOf<std::string>(Layer<std::string>{"w", {}}),
                      TreeOf<int>(Layer<int>{1, 2}), std::string("none"));
  ASSERT_TRUE(specs.ok()) << specs.status();
  EXPECT_EQ((*specs)["weight"].leaf(), "w");
  EXPECT_EQ((*specs)["bias"].leaf(), "none");
}

TEST(TreePrefixTest, LeavesAreMappedWithWhatStandsForThem) {
  const auto prefix = Specs::List({Specs("x"), Specs()});
  const auto named = MapWithPrefix<std::string>(
      Layers(), prefix,
      [](int leaf, const std::string* spec) -> absl::StatusOr<std::string> {
        return std::to_string(leaf) + (spec == nullptr ? "" : *spec);
      });
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_EQ(tree_structure(*named), tree_structure(Layers()));
  EXPECT_EQ(tree_leaves(*named), (std::vector<std::string>{"2x", "1x", "3"}));
  // All leaves are mapped, whichever fails: hosts make the same calls.
  int calls = 0;
  const auto failed = MapWithPrefix<int>(
      Layers(), prefix,
      [&](int leaf, const std::string*) -> absl::StatusOr<int> {
        ++calls;
        if (leaf > 1) return absl::AbortedError("no");
        return leaf;
      });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(failed.status(), absl::AbortedError("0/bias: no"));
  EXPECT_EQ(MapWithPrefix<int>(Layers(), Specs::List({}),
                               [](int leaf, const std::string*)
                                   -> absl::StatusOr<int> { return leaf; })
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(TreePrefixTest, WhatIsNoPrefixIsNamedByItsPath) {
  EXPECT_EQ(BroadcastPrefix(Specs::List({Specs::List({}), Specs()}), Layers(),
                            std::string())
                .status(),
            absl::InvalidArgumentError(
                "the specs are no prefix of the values: at '0' they have a "
                "list of 0, the values a map of {bias, weight}"));
  EXPECT_EQ(
      BroadcastPrefix(Specs::List({Specs()}), Layers(), std::string()).status(),
      absl::InvalidArgumentError(
          "the specs are no prefix of the values: at '' they have a list "
          "of 1, the values a list of 2"));
}

}  // namespace
}  // namespace lockstep::internal
