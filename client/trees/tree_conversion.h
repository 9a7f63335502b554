#ifndef LOCKSTEP_CLIENT_TREES_TREE_CONVERSION_H_
#define LOCKSTEP_CLIENT_TREES_TREE_CONVERSION_H_

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/trees/tree.h"
#include "client/trees/tree_walk.h"

namespace lockstep::internal {

// What may stand for a Leaf, if only by a conversion, is a leaf.
template <typename Leaf>
struct LeavesLike {
  template <typename T>
  static constexpr bool kIsLeaf = std::is_convertible_v<const T&, Leaf>;
};

// A container of trees, and not something that is a Leaf itself.
template <typename T, typename Leaf>
concept ContainerOf = kIsTreeNode<T> && !std::is_convertible_v<const T&, Leaf>;

// The containers as a Tree: a struct is a map of its members, a tuple a list,
// an optional its value or nothing. leaf_of(leaf), in the order of the leaves,
// gives those of the Tree.
template <typename P, typename Leaf, typename T, typename F>
Tree<Leaf> ToTree(const T& value, F&& leaf_of) {
  namespace internal = tree_walk_internal;
  if constexpr (P::template kIsLeaf<T>) {
    return Tree<Leaf>(leaf_of(value));
  } else if constexpr (internal::kIs<T, Tree>) {
    if (value.is_leaf()) return ToTree<P, Leaf>(value.leaf(), leaf_of);
    if (value.is_list()) return ToTree<P, Leaf>(value.list(), leaf_of);
    if (value.is_map()) return ToTree<P, Leaf>(value.map(), leaf_of);
    return Tree<Leaf>();
  } else if constexpr (internal::kIs<T, std::optional>) {
    return value.has_value() ? ToTree<P, Leaf>(*value, leaf_of) : Tree<Leaf>();
  } else if constexpr (internal::kIs<T, std::vector> || internal::kIsTuple<T>) {
    typename Tree<Leaf>::ListType children;
    ForEachChild(value, [&](const auto& child, const std::string*) {
      children.push_back(ToTree<P, Leaf>(child, leaf_of));
    });
    return Tree<Leaf>::List(std::move(children));
  } else {
    typename Tree<Leaf>::MapType children;
    ForEachChild(value, [&](const auto& child, const std::string* key) {
      children.emplace(*key, ToTree<P, Leaf>(child, leaf_of));
    });
    return Tree<Leaf>::Map(std::move(children));
  }
}

template <typename Leaf, typename T>
Tree<Leaf> TreeOf(const T& value) {
  return ToTree<LeavesLike<Leaf>, Leaf>(
      value, [](const auto& leaf) { return Leaf(leaf); });
}

// call(tree), which takes a tree of Leaf and gives one of ResultLeaf of the
// same form, on these containers.
template <typename Leaf, typename ResultLeaf = Leaf, typename T, typename F>
auto CallOnTree(const T& value, F&& call) {
  using P = LeavesLike<Leaf>;
  std::vector<ResultLeaf> leaves;
  size_t taken = 0;
  const auto take = [&](const auto&, const std::string&) -> ResultLeaf {
    return leaves[taken++];
  };
  using Result = absl::StatusOr<MappedTree<P, std::decay_t<decltype(take)>, T>>;
  const absl::StatusOr<Tree<ResultLeaf>> mapped = call(TreeOf<Leaf>(value));
  if (!mapped.ok()) return Result(mapped.status());
  // A Tree visits the members of a struct by name.
  std::vector<size_t> order;
  ToTree<P, size_t>(value, [next = size_t{0}](const auto&) mutable {
    return next++;
  }).Transform([&](size_t position, const std::string&) {
    order.push_back(position);
    return 0;
  });
  leaves.resize(order.size());
  size_t next = 0;
  mapped->Transform([&](const ResultLeaf& leaf, const std::string&) {
    leaves[order[next++]] = leaf;
    return 0;
  });
  return Result(MapLeaves<P>(value, "", take));
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TREES_TREE_CONVERSION_H_
