#ifndef LOCKSTEP_CLIENT_TREES_TREE_PREFIX_H_
#define LOCKSTEP_CLIENT_TREES_TREE_PREFIX_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "client/trees/tree.h"
#include "client/trees/tree_map.h"
#include "client/trees/tree_walk.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

namespace tree_prefix_internal {

template <typename T>
std::string KindOf(const Tree<T>& tree) {
  if (tree.is_leaf()) return "a leaf";
  if (tree.is_list()) return absl::StrCat("a list of ", tree.list().size());
  if (tree.is_map()) {
    std::string keys;
    for (const auto& [key, child] : tree.map()) {
      absl::StrAppend(&keys, keys.empty() ? "" : ", ", key);
    }
    return absl::StrCat("a map of {", keys, "}");
  }
  return "nothing";
}

}  // namespace tree_prefix_internal

// A tree of R with the form of `tree` down to the leaves of `prefix`, where
// f(leaf, subtree, path) gives what is below, an absl::StatusOr<Tree<R>>; the
// leaf is null where the prefix has nothing. INVALID_ARGUMENT when it is no
// prefix of the tree: the path, and what both have there.
template <typename R, typename P, typename T, typename F>
absl::StatusOr<Tree<R>> TransformByPrefix(const Tree<P>& prefix,
                                          const Tree<T>& tree, const F& f,
                                          const std::string& path = "") {
  if (!prefix.is_list() && !prefix.is_map()) {
    return f(prefix.is_leaf() ? &prefix.leaf() : nullptr, tree, path);
  }
  bool fits = false;
  if (prefix.is_list() && tree.is_list()) {
    fits = prefix.list().size() == tree.list().size();
  } else if (prefix.is_map() && tree.is_map()) {
    fits = prefix.map().size() == tree.map().size();
    for (const auto& [key, child] : prefix.map()) {
      fits = fits && tree.map().contains(key);
    }
  }
  if (!fits) {
    return absl::InvalidArgumentError(
        absl::StrCat("the specs are no prefix of the values: at '", path,
                     "' they have ", tree_prefix_internal::KindOf(prefix),
                     ", the values ", tree_prefix_internal::KindOf(tree)));
  }
  if (prefix.is_list()) {
    typename Tree<R>::ListType children;
    for (size_t i = 0; i < tree.list().size(); ++i) {
      ASSIGN_OR_RETURN(children.emplace_back(),
                       TransformByPrefix<R>(prefix.list()[i], tree.list()[i], f,
                                            TreePath(path, absl::StrCat(i))));
    }
    return Tree<R>::List(std::move(children));
  }
  typename Tree<R>::MapType children;
  for (const auto& [key, child] : tree.map()) {
    ASSIGN_OR_RETURN(children[key],
                     TransformByPrefix<R>(prefix.map().at(key), child, f,
                                          TreePath(path, key)));
  }
  return Tree<R>::Map(std::move(children));
}

// By leaf of `tree`: the leaf of `prefix` that stands for it, `otherwise` where
// the prefix has nothing. Errors of TransformByPrefix.
template <typename P, typename T>
absl::StatusOr<Tree<P>> BroadcastPrefix(const Tree<P>& prefix,
                                        const Tree<T>& tree,
                                        const P& otherwise) {
  return TransformByPrefix<P>(
      prefix, tree,
      [&](const P* leaf, const Tree<T>& below,
          const std::string&) -> absl::StatusOr<Tree<P>> {
        const P& value = leaf == nullptr ? otherwise : *leaf;
        return below.Transform(
            [&](const T&, const std::string&) { return value; });
      });
}

// f(leaf, value), an absl::StatusOr<R>, for each leaf of `tree`, where `value`
// is the leaf of `prefix` that stands for it, null where the prefix has
// nothing; all leaves, and errors, as tree_map. Errors of TransformByPrefix.
template <typename R, typename P, typename T, typename F>
absl::StatusOr<Tree<R>> MapWithPrefix(const Tree<T>& tree,
                                      const Tree<P>& prefix, const F& f) {
  std::vector<const P*> values;
  RETURN_IF_ERROR(TransformByPrefix<bool>(
                      prefix, tree,
                      [&](const P* value, const Tree<T>& below,
                          const std::string&) -> absl::StatusOr<Tree<bool>> {
                        return below.Transform(
                            [&](const T&, const std::string&) {
                              values.push_back(value);
                              return true;
                            });
                      })
                      .status());
  size_t next = 0;
  return tree_map([&](const T& leaf) { return f(leaf, values[next++]); }, tree);
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TREES_TREE_PREFIX_H_
