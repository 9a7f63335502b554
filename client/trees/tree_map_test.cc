#include "client/trees/tree_map.h"

#include <gtest/gtest.h>

#include <random>

#include "client/trees/tree_structs_testing.h"

namespace lockstep::internal {
namespace {

using Values = std::vector<std::string>;

Model<std::string> SomeModel() {
  Model<std::string> model;
  model.layers = {{"w0", "b0"}, {"w1", std::nullopt}};
  model.named = {{"z", "Z"}, {"a", "A"}};
  model.pair = {"p", {"q", "r"}};
  model.tree = Tree<std::string>::Map(
      {{"t", Tree<std::string>::List({std::string("u")})}});
  model.steps = 3;
  model.activation = "tanh";
  model.note = "mine";
  return model;
}

TEST(TreeTest, VisitsChildrenByKeyAndNamesTheirPaths) {
  const auto tree = Tree<int>::Map(
      {{"w", Tree<int>::List({1, 2})}, {"b", 3}, {"nothing", Tree<int>()}});
  std::string paths;
  const Tree<int> doubled =
      tree.Transform([&](int leaf, const std::string& path) {
        paths += path + "=" + std::to_string(leaf) + " ";
        return 2 * leaf;
      });
  EXPECT_EQ(paths, "b=3 w/0=1 w/1=2 ");
  EXPECT_EQ(doubled["w"][1].leaf(), 4);
}

TEST(TreeMapTest, PathsAreKeysIndicesAndNamesOfMembers) {
  const auto tree = Tree<int>::Map(
      {{"a", 1}, {"b", Tree<int>::List({2, Tree<int>::Map({{"c", 3}})})}});
  const Tree<std::string> paths = tree_paths(tree);
  EXPECT_EQ(paths["a"].leaf(), "a");
  EXPECT_EQ(paths["b"][0].leaf(), "b/0");
  EXPECT_EQ(paths["b"][1]["c"].leaf(), "b/1/c");

  const Model<std::string> of_model = tree_paths(SomeModel());
  EXPECT_EQ(of_model.layers[0].bias, "layers/0/bias");
  EXPECT_FALSE(of_model.layers[1].bias.has_value());
  EXPECT_EQ(
      tree_leaves(of_model),
      (Values{"layers/0/weight", "layers/0/bias", "layers/1/weight", "named/a",
              "named/z", "pair/0", "pair/1/0", "pair/1/1", "tree/t/0"}));
}

TEST(TreeMapTest, ALeafIsATree) {
  EXPECT_EQ(tree_paths(3), "");
  EXPECT_EQ(tree_leaves(3), std::vector<int>{3});
  EXPECT_EQ(tree_map([](int x) { return x + 0.5; }, 3), 3.5);
  EXPECT_EQ(tree_structure(3).ToString(), "PyTreeDef(*)");
}

TEST(TreeMapTest, LeavesOfAnotherTypeMakeAnotherStructOfTheSameTemplate) {
  const Model<size_t> sizes = tree_map(
      [](const std::string& leaf) { return leaf.size(); }, SomeModel());
  EXPECT_EQ(sizes.layers[1].weight, 2u);
  EXPECT_EQ(sizes.named.at("z"), 1u);
  EXPECT_EQ(sizes.pair.second.size(), 2u);
  EXPECT_EQ(sizes.tree["t"][0].leaf(), 1u);
  EXPECT_EQ(sizes.steps, 3);
  EXPECT_EQ(sizes.activation, "tanh");
  EXPECT_EQ(sizes.note, "");  // of no field
  const Model<std::string> same =
      tree_map([](const std::string& leaf) { return leaf; }, SomeModel());
  EXPECT_EQ(same.note, "mine");
}

TEST(TreeMapTest, AStructWithoutAParameterKeepsItsType) {
  const Statistics doubled = tree_map([](double x) { return 2 * x; },
                                      Statistics{.mean = 1, .variance = 2});
  EXPECT_EQ(doubled.mean, 2);
  EXPECT_EQ(tree_leaves(doubled), (std::vector<double>{4, 2}));  // as named
}

TEST(TreeMapTest, AFunctionThatFailsIsNamedByItsPathAndCalledForAll) {
  int calls = 0;
  const auto check = [&](const std::string& leaf) -> absl::StatusOr<int> {
    ++calls;
    if (leaf[0] != 'b' && leaf[0] != 'q') return 1;
    return absl::InvalidArgumentError("is " + leaf);
  };
  const absl::StatusOr<Model<int>> result = tree_map(check, SomeModel());
  EXPECT_EQ(result.status(),
            absl::InvalidArgumentError("layers/0/bias: is b0"));
  EXPECT_EQ(calls, 9);
  const absl::StatusOr<Layer<int>> good =
      tree_map(check, Layer<std::string>{"w", {}});
  ASSERT_TRUE(good.ok()) << good.status();
  EXPECT_EQ(good->weight, 1);
}

TEST(TreeMapTest, SeveralTreesOfOneStructureAreMappedTogether) {
  const auto sum = tree_map([](int a, double b) { return a + b; },
                            Layer<int>{1, 2}, Layer<double>{0.5, 0.25});
  ASSERT_TRUE(sum.ok()) << sum.status();
  EXPECT_EQ(sum->weight, 1.5);
  EXPECT_EQ(sum->bias, 2.25);
  // A list is a list.
  const auto lists =
      tree_map([](int a, int b) { return a * b; }, Tree<int>::List({2, 3}),
               std::vector<Tree<int>>{4, 5});
  ASSERT_TRUE(lists.ok()) << lists.status();
  EXPECT_EQ((*lists)[1].leaf(), 15);
}

TEST(TreeMapTest, TreesOfAnotherStructureAreRefusedWithTheFirstLeaf) {
  const auto add = [](int a, int b) { return a + b; };
  EXPECT_EQ(
      tree_map(add, Layer<int>{1, 2}, Layer<int>{1, {}}).status().message(),
      "the trees have different structures: one has a leaf at 'bias', "
      "the other ends before it; they are PyTreeDef((weight=*, bias=*)) "
      "and PyTreeDef((weight=*, bias=None))");
  EXPECT_EQ(tree_map(add, std::map<std::string, int>{{"a", 1}},
                     std::map<std::string, int>{{"b", 1}})
                .status()
                .message(),
            "the trees have different structures: one has a leaf at 'a', the "
            "other at 'b'; they are PyTreeDef({'a': *}) and "
            "PyTreeDef({'b': *})");
}

TEST(TreeStructureTest, IsPrintedAsPythonWould) {
  EXPECT_EQ(tree_structure(SomeModel()).ToString(),
            "PyTreeDef((layers=[(weight=*, bias=*), (weight=*, bias=None)], "
            "named={'a': *, 'z': *}, pair=(*, [*, *]), tree={'t': [*]}, "
            "inner=[], steps=3, activation='tanh'))");
  EXPECT_EQ(tree_structure(std::tuple(1)).ToString(), "PyTreeDef((*,))");
  EXPECT_EQ(tree_structure(Tree<int>()).ToString(), "PyTreeDef(None)");
}

TEST(TreeStructureTest, TellsAbsentValuesStaticFieldsAndKeysApart) {
  const Model<std::string> model = SomeModel();
  const auto differs = [&](auto&& change) {
    Model<std::string> other = SomeModel();
    change(other);
    return !(tree_structure(other) == tree_structure(model));
  };
  EXPECT_FALSE(differs([](auto& m) { m.layers[0].weight = "other leaf"; }));
  EXPECT_TRUE(differs([](auto& m) { m.layers[0].bias.reset(); }));
  EXPECT_TRUE(differs([](auto& m) { m.layers[1].bias = "b1"; }));
  EXPECT_TRUE(differs([](auto& m) { m.layers.emplace_back(); }));
  EXPECT_TRUE(differs([](auto& m) { m.inner.push_back(m); }));
  EXPECT_TRUE(differs([](auto& m) { m.named.emplace("b", "B"); }));
  EXPECT_TRUE(differs([](auto& m) { m.tree = Tree<std::string>(); }));
  EXPECT_TRUE(differs([](auto& m) { m.steps = 4; }));
  EXPECT_TRUE(differs([](auto& m) { m.activation = "relu"; }));
  EXPECT_FALSE(differs([](auto& m) { m.note = "yours"; }));
}

// Small enough that the same form comes up often.
Tree<int> RandomTree(std::mt19937& random, int depth) {
  const uint32_t kind = random() % (depth == 0 ? 2 : 4);
  if (kind == 0) return Tree<int>();
  if (kind == 1) return Tree<int>(static_cast<int>(random() % 3));
  const uint32_t size = random() % 3;
  Tree<int>::ListType list;
  Tree<int>::MapType map;
  constexpr const char* kKeys[] = {"a", "b", "', 'b", "a/b", ""};
  for (uint32_t i = 0; i < size; ++i) {
    list.push_back(RandomTree(random, depth - 1));
    map.emplace(kKeys[random() % 5], list.back());
  }
  return kind == 2 ? Tree<int>::List(list) : Tree<int>::Map(map);
}

bool HaveOneForm(const Tree<int>& a, const Tree<int>& b) {
  if (a.is_list() != b.is_list() || a.is_map() != b.is_map() ||
      a.is_leaf() != b.is_leaf()) {
    return false;
  }
  if (a.is_list()) {
    bool same = a.list().size() == b.list().size();
    for (size_t i = 0; same && i < a.list().size(); ++i) {
      same = HaveOneForm(a[i], b[i]);
    }
    return same;
  }
  if (!a.is_map()) return true;
  bool same = a.map().size() == b.map().size();
  for (const auto& [key, child] : a.map()) {
    same = same && b.map().contains(key) && HaveOneForm(child, b[key]);
  }
  return same;
}

TEST(TreeStructureTest, IsEqualForEqualFormsOnly) {
  std::mt19937 random(1);
  std::vector<Tree<int>> trees;
  for (int i = 0; i < 300; ++i) trees.push_back(RandomTree(random, 3));
  for (const Tree<int>& a : trees) {
    for (const Tree<int>& b : trees) {
      EXPECT_EQ(tree_structure(a) == tree_structure(b), HaveOneForm(a, b))
          << tree_structure(a) << " " << tree_structure(b);
    }
  }
}

TEST(TreeUnflattenTest, IsTheInverseOfLeaves) {
  std::mt19937 random(2);
  for (int i = 0; i < 300; ++i) {
    Model<int> model;
    const uint32_t layers = random() % 3;
    for (uint32_t k = 0; k < layers; ++k) {
      model.layers.push_back({static_cast<int>(random() % 9), {}});
      if (random() % 2 == 0) model.layers.back().bias = 7;
    }
    model.tree = RandomTree(random, 3);
    if (random() % 2 == 0) model.inner.push_back(model);
    std::vector<int> leaves = tree_leaves(model);
    EXPECT_EQ(static_cast<int64_t>(leaves.size()),
              tree_structure(model).leaf_count());
    for (int& leaf : leaves) leaf += 10;
    const auto other = tree_unflatten(model, leaves);
    ASSERT_TRUE(other.ok()) << other.status();
    EXPECT_EQ(tree_structure(*other), tree_structure(model));
    EXPECT_EQ(tree_leaves(*other), leaves);
  }
}

TEST(TreeUnflattenTest, AnotherNumberOfLeavesIsRefused) {
  EXPECT_EQ(tree_unflatten(Layer<int>{1, {}}, std::vector<int>{1, 2}).status(),
            absl::InvalidArgumentError(
                "PyTreeDef((weight=*, bias=None)) has 1 leaves, found 2"));
}

}  // namespace
}  // namespace lockstep::internal
