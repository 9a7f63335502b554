#ifndef LOCKSTEP_CLIENT_TREES_TREE_STRUCTURE_H_
#define LOCKSTEP_CLIENT_TREES_TREE_STRUCTURE_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/trees/tree_walk.h"

namespace lockstep {

// The form of a tree, without its leaves (JAX's PyTreeDef). A value type.
class TreeStructure {
 public:
  TreeStructure(std::string text, int64_t leaf_count)
      : text_(std::move(text)), leaf_count_(leaf_count) {}

  int64_t leaf_count() const { return leaf_count_; }
  // "PyTreeDef({'a': *, 'b': [*, None]})".
  std::string ToString() const {
    return absl::StrCat("PyTreeDef(", text_, ")");
  }
  // Vectors and lists of a Tree are the same, and so are maps; a pair or tuple,
  // or a struct, is not.
  friend bool operator==(const TreeStructure&, const TreeStructure&) = default;
  friend std::ostream& operator<<(std::ostream& os, const TreeStructure& s) {
    return os << s.ToString();
  }

 private:
  std::string text_;
  int64_t leaf_count_;
};

template <typename T>
TreeStructure tree_structure(const T& tree) {
  std::string text;
  internal::AppendStructure<internal::AnyLeaf>(tree, text);
  int64_t leaf_count = 0;
  internal::ForEachLeaf<internal::AnyLeaf>(
      tree, "", [&](const auto&, const std::string&) { ++leaf_count; });
  return TreeStructure(std::move(text), leaf_count);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TREES_TREE_STRUCTURE_H_
