// K-5: collectives of trees are those of their leaves.
#include "client/tracer/tree_collectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "client/tracer/traced_text_testing.h"
#include "client/trees/tree_fields.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

template <typename T>
struct Gradients {
  T weight;
  std::optional<T> bias;
  std::map<std::string, std::vector<T>> rest;
  std::string name;
  LOCKSTEP_TREE_FIELDS(weight, bias, rest)
  LOCKSTEP_STATIC_FIELDS(name)
};

using Leaves = std::vector<Tensor>;

Gradients<Tensor> TreeOf(const Leaves& x) {
  return {x[0], x[1], {{"b", {x[3]}}, {"a", {x[2]}}}, "layer"};
}

const std::vector<Shape>& LeafShapes() {
  static const auto& shapes = *new std::vector<Shape>{
      F32({4, 4}), S32({4}), Shape(ElementType::kPred, {4, 2}), F32({4})};
  return shapes;
}

using OfLeaf = std::function<Tensor(const Tensor&)>;
using OfTree = std::function<Gradients<Tensor>(const Gradients<Tensor>&)>;

struct TreeCase {
  std::string name;
  OfLeaf of_leaf;
  OfTree of_tree;
};

// One call for a tensor and for a tree of them.
template <typename F>
TreeCase Case(std::string name, F f) {
  return {std::move(name), f, f};
}

std::vector<TreeCase> TreeCases() {
  const ReduceOptions pairs = {{{0, 2}, {1, 3}}};
  const GatherOptions tiled = {.dim = 0, .tiled = true};
  return {
      Case("psum", [](const auto& x) { return psum(x, "i"); }),
      Case("psum_groups", [=](const auto& x) { return psum(x, "i", pairs); }),
      Case("psum_axes", [](const auto& x) { return psum(x, {"j", "i"}); }),
      Case("pmean", [](const auto& x) { return pmean(x, "i"); }),
      Case("pmax", [](const auto& x) { return pmax(x, "i"); }),
      Case("pmin", [](const auto& x) { return pmin(x, "i"); }),
      Case("pargmax", [](const auto& x) { return pargmax(x, "i"); }),
      Case("pargmin", [](const auto& x) { return pargmin(x, "i"); }),
      Case("all_gather", [](const auto& x) { return all_gather(x, "i"); }),
      Case("psum_scatter",
           [=](const auto& x) { return psum_scatter(x, "i", tiled); }),
      Case("all_to_all",
           [](const auto& x) { return all_to_all(x, "i", 0, 0); }),
      Case("pswapaxes", [](const auto& x) { return pswapaxes(x, "i", 0); }),
      Case("ppermute",
           [](const auto& x) { return ppermute(x, "i", {{0, 1}, {1, 2}}); }),
      Case("pbroadcast", [](const auto& x) { return pbroadcast(x, "i", 2); }),
      Case("pshuffle",
           [](const auto& x) { return pshuffle(x, "i", {2, 0, 3, 1}); }),
  };
}

// The leaves in the order of the tree: that of its fields, and of keys.
TEST(TreeCollectivesTest, EachIsThatOfEveryLeaf) {
  for (const TreeCase& tree_case : TreeCases()) {
    SCOPED_TRACE(tree_case.name);
    const std::string of_leaves =
        TracedText(FourByTwo(), LeafShapes(), [&](const Leaves& x) {
          return Leaves{tree_case.of_leaf(x[0]), tree_case.of_leaf(x[1]),
                        tree_case.of_leaf(x[2]), tree_case.of_leaf(x[3])};
        });
    const std::string of_tree =
        TracedText(FourByTwo(), LeafShapes(), [&](const Leaves& x) {
          const Gradients<Tensor> tree = tree_case.of_tree(TreeOf(x));
          EXPECT_EQ(tree.name, "layer");
          return Leaves{tree.weight, *tree.bias, tree.rest.at("a")[0],
                        tree.rest.at("b")[0]};
        });
    EXPECT_THAT(of_leaves, HasSubstr("return %"));
    EXPECT_EQ(of_tree, of_leaves);
  }
}

TEST(TreeCollectivesTest, TreesWithoutLeavesCommunicateNothing) {
  const std::string text =
      TracedText(FourMembers(), {F32({2})}, [](const Leaves& x) {
        EXPECT_EQ(psum(std::vector<Tensor>(), "i").size(), 0);
        EXPECT_EQ(pmax(std::optional<Tensor>(), "i"), std::nullopt);
        return Leaves{x[0]};
      });
  EXPECT_EQ(text, "return %arg0 : tensor<2xf32>\n");
}

TEST(TreeCollectivesTest, ConstantsInTreesSendNothing) {
  const std::string text =
      TracedText(FourMembers(), {F32({2})}, [](const Leaves& x) {
        const auto [sum, count] = psum(std::pair(x[0], 1), "i");
        return Leaves{sum, count};
      });
  EXPECT_THAT(text, HasSubstr("all_reduce"));
  EXPECT_THAT(text, HasSubstr("dense<4> : tensor<i32>"));
}

TEST(TreeCollectivesTest, ErrorsNameThePlaceOfTheCall) {
  const std::string text =
      TracedText(FourMembers(), {F32({2})}, [](const Leaves& x) {
        return all_gather(std::vector<Tensor>{x[0], x[0]}, "k");
      });
  EXPECT_THAT(text, HasSubstr("NOT_FOUND"));
  EXPECT_THAT(text, HasSubstr("tree_collectives_test.cc"));
}

}  // namespace
}  // namespace lockstep::internal
