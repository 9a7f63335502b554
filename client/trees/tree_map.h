#ifndef LOCKSTEP_CLIENT_TREES_TREE_MAP_H_
#define LOCKSTEP_CLIENT_TREES_TREE_MAP_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "client/trees/tree_structure.h"
#include "client/trees/tree_walk.h"
#include "runtime/base/at_path.h"

// JAX's functions on trees. A tree is a leaf, or a std::vector, pair, tuple,
// map from string, optional, Tree or struct with LOCKSTEP_TREE_FIELDS of trees;
// what is none of these is a leaf. Children are in order: those of a map by
// key, those of a struct as they are named. An optional without a value has no
// leaf.

namespace lockstep {
namespace internal {

template <typename T>
struct StatusOrValue {
  static constexpr bool kIsStatusOr = false;
  using Type = T;
};
template <typename T>
struct StatusOrValue<absl::StatusOr<T>> {
  static constexpr bool kIsStatusOr = true;
  using Type = T;
};

// MapLeaves with a function that may fail: the first error, with its path
// before it. Leaves behind it are visited all the same: their calls may be
// those of other hosts too. What it gives has a default.
template <typename P, typename T, typename F>
auto TryMapLeaves(const T& tree, F&& f) {
  absl::Status first;
  const auto value_of = [&](const auto& leaf, const std::string& path) {
    auto value = f(leaf, path);
    if (value.ok()) return *std::move(value);
    if (first.ok()) first = AtPath(value.status(), path);
    return typename decltype(value)::value_type();
  };
  auto result = MapLeaves<P>(tree, "", value_of);
  using Result = absl::StatusOr<decltype(result)>;
  return first.ok() ? Result(std::move(result)) : Result(std::move(first));
}

// INVALID_ARGUMENT names the first leaf that they have not in common.
absl::Status DifferentTrees(const TreeStructure& expected,
                            const std::vector<std::string>& expected_paths,
                            const TreeStructure& found,
                            const std::vector<std::string>& found_paths);

absl::Status WrongLeafCount(const TreeStructure& expected, int64_t found);

template <typename T>
std::vector<std::string> LeafPaths(const T& tree) {
  std::vector<std::string> paths;
  ForEachLeaf<AnyLeaf>(tree, "", [&](const auto&, const std::string& path) {
    paths.push_back(path);
  });
  return paths;
}

template <typename T, typename Other>
absl::Status CheckSameStructure(const T& tree, const Other& other) {
  const TreeStructure expected = tree_structure(tree);
  const TreeStructure found = tree_structure(other);
  if (expected == found) return absl::OkStatus();
  return DifferentTrees(expected, LeafPaths(tree), found, LeafPaths(other));
}

}  // namespace internal

// f(path, leaf) in the place of every leaf, in order; see tree_map.
template <typename F, typename T>
auto tree_map_with_path(F&& f, const T& tree) {
  using internal::AnyLeaf;
  const auto map = [&](const auto& leaf, const std::string& path) {
    return f(path, leaf);
  };
  using Map = decltype(map);
  using Leaf = internal::TreeLeaf<AnyLeaf, T>;
  using Result =
      std::decay_t<std::invoke_result_t<Map, const Leaf&, const std::string&>>;
  if constexpr (internal::StatusOrValue<Result>::kIsStatusOr) {
    return internal::TryMapLeaves<AnyLeaf>(tree, map);
  } else {
    return internal::MapLeaves<AnyLeaf>(tree, "", map);
  }
}

// The leaves, in order. All of them have one type.
template <typename T>
auto tree_leaves(const T& tree) {
  using internal::AnyLeaf;
  std::vector<internal::TreeLeaf<AnyLeaf, T>> leaves;
  internal::ForEachLeaf<AnyLeaf>(
      tree, "",
      [&](const auto& leaf, const std::string&) { leaves.push_back(leaf); });
  return leaves;
}

// A tree of the same containers with f(leaf) in the place of every leaf, in
// order. Where f gives absl::StatusOr, so does this: the first error, with the
// path of its leaf; f is called for the leaves behind it all the same.
template <typename F, typename T>
auto tree_map(F&& f, const T& tree) {
  return tree_map_with_path(
      [&](const std::string&, const auto& leaf) { return f(leaf); }, tree);
}

// f(leaf, leaves of the others...), for trees of one structure. Always
// absl::StatusOr; INVALID_ARGUMENT for another structure: names the first leaf
// that is missing.
template <typename F, typename T, typename... Others>
  requires(sizeof...(Others) > 0)
auto tree_map(F&& f, const T& tree, const Others&... others) {
  const auto leaves = std::tuple(tree_leaves(others)...);
  size_t next = 0;
  const auto map = [&](const auto& leaf) {
    const size_t i = next++;
    return std::apply(
        [&](const auto&... of_others) { return f(leaf, of_others[i]...); },
        leaves);
  };
  using Mapped = decltype(tree_map(map, tree));
  using Result = absl::StatusOr<typename internal::StatusOrValue<Mapped>::Type>;
  absl::Status same;
  const auto check = [&](const auto& other) {
    if (same.ok()) same = internal::CheckSameStructure(tree, other);
  };
  (check(others), ...);
  return same.ok() ? Result(tree_map(map, tree)) : Result(std::move(same));
}

// The tree whose leaves are their own paths: keys of maps, indices, and names
// of a struct's members, joined by "/".
template <typename T>
auto tree_paths(const T& tree) {
  return tree_map_with_path(
      [](const std::string& path, const auto&) { return path; }, tree);
}

// `form` with these leaves in the place of its own, in order. INVALID_ARGUMENT:
// another number of them.
template <typename T, typename Leaf>
auto tree_unflatten(const T& form, const std::vector<Leaf>& leaves) {
  size_t next = 0;
  const auto take = [&](const auto&) -> Leaf { return leaves[next++]; };
  using Result = absl::StatusOr<decltype(tree_map(take, form))>;
  const TreeStructure structure = tree_structure(form);
  const auto found = static_cast<int64_t>(leaves.size());
  if (structure.leaf_count() != found) {
    return Result(internal::WrongLeafCount(structure, found));
  }
  return Result(tree_map(take, form));
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TREES_TREE_MAP_H_
