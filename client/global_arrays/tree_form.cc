#include "client/global_arrays/tree_form.h"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "runtime/base/status.h"
#include "runtime/types/element_type.h"

namespace lockstep::internal {
namespace {

enum class Node : int64_t { kNothing, kLeaf, kList, kMap };

// Of lists and maps within each other.
constexpr int kMaxDepth = 1000;

void Append(int64_t number, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void Append(absl::string_view text, std::string& bytes) {
  Append(static_cast<int64_t>(text.size()), bytes);
  bytes.append(text.data(), text.size());
}

void Append(const Tree<Shape>& form, std::string& bytes) {
  const auto begin = [&](Node node) {
    Append(static_cast<int64_t>(node), bytes);
  };
  if (form.is_leaf()) {
    begin(Node::kLeaf);
    Append(StablehloName(form.leaf().element_type()), bytes);
    Append(form.leaf().rank(), bytes);
    for (int64_t dim : form.leaf().dims()) Append(dim, bytes);
  } else if (form.is_list()) {
    begin(Node::kList);
    Append(static_cast<int64_t>(form.list().size()), bytes);
    for (const Tree<Shape>& child : form.list()) Append(child, bytes);
  } else if (form.is_map()) {
    begin(Node::kMap);
    Append(static_cast<int64_t>(form.map().size()), bytes);
    for (const auto& [key, child] : form.map()) {
      Append(key, bytes);
      Append(child, bytes);
    }
  } else {
    begin(Node::kNothing);
  }
}

class FormReader {
 public:
  explicit FormReader(absl::string_view bytes) : bytes_(bytes) {}

  absl::StatusOr<Tree<Shape>> Read() {
    ASSIGN_OR_RETURN(Tree<Shape> form, ReadTree(0));
    if (at_ != bytes_.size()) return Damaged("the end");
    return form;
  }

 private:
  absl::Status Damaged(absl::string_view expected) const {
    return absl::DataLossError(absl::StrCat("the form of a tree, byte ", at_,
                                            " of ", bytes_.size(),
                                            ": expected is ", expected));
  }
  absl::StatusOr<int64_t> ReadNumber(absl::string_view what) {
    int64_t number = 0;
    if (bytes_.size() - at_ < sizeof(number)) return Damaged(what);
    std::memcpy(&number, bytes_.data() + at_, sizeof(number));
    at_ += sizeof(number);
    return number;
  }
  // Of what takes a byte at least each.
  absl::StatusOr<int64_t> ReadCount(absl::string_view what) {
    ASSIGN_OR_RETURN(const int64_t count, ReadNumber(what));
    if (count < 0 || static_cast<uint64_t>(count) > bytes_.size() - at_) {
      return Damaged(absl::StrCat(what, ", not ", count));
    }
    return count;
  }
  absl::StatusOr<std::string> ReadText(absl::string_view what) {
    ASSIGN_OR_RETURN(const int64_t size, ReadCount(what));
    std::string text(bytes_.substr(at_, size));
    at_ += size;
    return text;
  }
  absl::StatusOr<Tree<Shape>> ReadLeaf() {
    ASSIGN_OR_RETURN(const std::string name, ReadText("an element type"));
    const absl::StatusOr<ElementType> type = ParseStablehloName(name);
    if (!type.ok()) {
      return Damaged(absl::StrCat("an element type, not '", name, "'"));
    }
    ASSIGN_OR_RETURN(const int64_t rank, ReadCount("a number of dimensions"));
    std::vector<int64_t> dims;
    for (int64_t i = 0; i < rank; ++i) {
      ASSIGN_OR_RETURN(dims.emplace_back(), ReadNumber("a dimension"));
    }
    const absl::StatusOr<Shape> shape = Shape::Create(*type, dims);
    if (!shape.ok()) return Damaged(shape.status().message());
    return Tree<Shape>(*shape);
  }
  absl::StatusOr<Tree<Shape>> ReadTree(int depth) {
    if (depth > kMaxDepth) return Damaged("a tree less deep");
    ASSIGN_OR_RETURN(const int64_t node, ReadNumber("a node"));
    switch (static_cast<Node>(node)) {
      case Node::kNothing:
        return Tree<Shape>();
      case Node::kLeaf:
        return ReadLeaf();
      case Node::kList: {
        ASSIGN_OR_RETURN(const int64_t count, ReadCount("a size of a list"));
        Tree<Shape>::ListType children;
        for (int64_t i = 0; i < count; ++i) {
          ASSIGN_OR_RETURN(children.emplace_back(), ReadTree(depth + 1));
        }
        return Tree<Shape>::List(std::move(children));
      }
      case Node::kMap: {
        ASSIGN_OR_RETURN(const int64_t count, ReadCount("a size of a map"));
        Tree<Shape>::MapType children;
        for (int64_t i = 0; i < count; ++i) {
          ASSIGN_OR_RETURN(std::string key, ReadText("a key"));
          ASSIGN_OR_RETURN(children[std::move(key)], ReadTree(depth + 1));
        }
        return Tree<Shape>::Map(std::move(children));
      }
    }
    return Damaged(absl::StrCat("a node, not ", node));
  }

  const absl::string_view bytes_;
  size_t at_ = 0;
};

}  // namespace

std::string FormatTreeForm(const Tree<Shape>& form) {
  std::string bytes;
  Append(form, bytes);
  return bytes;
}

absl::StatusOr<Tree<Shape>> ParseTreeForm(absl::string_view bytes) {
  return FormReader(bytes).Read();
}

}  // namespace lockstep::internal
