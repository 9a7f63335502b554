#ifndef LOCKSTEP_CLIENT_TREES_TREE_H_
#define LOCKSTEP_CLIENT_TREES_TREE_H_

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep {

// Nested lists and maps of leaves (JAX's pytree): a leaf, an ordered list, a
// map whose children are visited by ascending key, or nothing. A value type.
//
//   Tree<Array> params = Tree<Array>::Map({{"w", w}, {"b", b}});
template <typename T>
class Tree {
 public:
  using ListType = std::vector<Tree>;
  using MapType = std::map<std::string, Tree>;

  Tree() = default;                          // nothing: no leaf
  Tree(T leaf) : value_(std::move(leaf)) {}  // NOLINT: a leaf is a tree
  static Tree List(ListType children) {
    Tree tree;
    tree.value_ = std::move(children);
    return tree;
  }
  static Tree Map(MapType children) {
    Tree tree;
    tree.value_ = std::move(children);
    return tree;
  }

  bool is_leaf() const { return std::holds_alternative<T>(value_); }
  bool is_list() const { return std::holds_alternative<ListType>(value_); }
  bool is_map() const { return std::holds_alternative<MapType>(value_); }

  // The tree must be of that kind.
  const T& leaf() const { return std::get<T>(value_); }
  T& leaf() { return std::get<T>(value_); }
  const ListType& list() const { return std::get<ListType>(value_); }
  const MapType& map() const { return std::get<MapType>(value_); }
  const Tree& operator[](size_t i) const { return list().at(i); }
  const Tree& operator[](const std::string& key) const { return map().at(key); }

  // A tree of the same form; f(leaf, path) gives the leaves, in order. Paths
  // are keys and indices joined by "/".
  template <typename F>
  auto Transform(F&& f, const std::string& path = "") const
      -> Tree<decltype(f(std::declval<const T&>(), path))> {
    using Result = Tree<decltype(f(std::declval<const T&>(), path))>;
    if (is_leaf()) return Result(f(leaf(), path));
    const std::string prefix = path.empty() ? "" : path + "/";
    if (is_list()) {
      typename Result::ListType children;
      for (size_t i = 0; i < list().size(); ++i) {
        children.push_back(list()[i].Transform(f, prefix + std::to_string(i)));
      }
      return Result::List(std::move(children));
    }
    if (is_map()) {
      typename Result::MapType children;
      for (const auto& [key, child] : map()) {
        children.emplace(key, child.Transform(f, prefix + key));
      }
      return Result::Map(std::move(children));
    }
    return Result();
  }

 private:
  std::variant<std::monostate, T, ListType, MapType> value_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TREES_TREE_H_
