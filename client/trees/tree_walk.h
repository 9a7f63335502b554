#ifndef LOCKSTEP_CLIENT_TREES_TREE_WALK_H_
#define LOCKSTEP_CLIENT_TREES_TREE_WALK_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/trees/tree.h"
#include "client/trees/tree_fields.h"
#include "runtime/mesh/python_text.h"

// Containers of leaves, of C++ types and of any nesting: std::vector, pair,
// tuple, map from string and optional, Tree, structs with LOCKSTEP_TREE_FIELDS.
// A policy says which types are leaves, and is asked first:
//
//   struct Policy { template <typename T> static constexpr bool kIsLeaf; };
//
// Paths are keys, indices and names of members, joined by "/".

namespace lockstep::internal {

template <typename T>
constexpr bool kIsTreeNode = TreeStruct<T>;
template <typename T, typename A>
constexpr bool kIsTreeNode<std::vector<T, A>> = true;
template <typename T, typename C, typename A>
constexpr bool kIsTreeNode<std::map<std::string, T, C, A>> = true;
template <typename T>
constexpr bool kIsTreeNode<std::optional<T>> = true;
template <typename T>
constexpr bool kIsTreeNode<Tree<T>> = true;
template <typename... Ts>
constexpr bool kIsTreeNode<std::tuple<Ts...>> = true;
template <typename A, typename B>
constexpr bool kIsTreeNode<std::pair<A, B>> = true;

namespace tree_walk_internal {

template <typename T, template <typename...> class Template>
constexpr bool kIs = false;
template <template <typename...> class Template, typename... Args>
constexpr bool kIs<Template<Args...>, Template> = true;
template <typename T>
constexpr bool kIsTuple = kIs<T, std::tuple> || kIs<T, std::pair>;

template <typename T>
concept HasStaticFields = requires(const T& value) { value.StaticFields(); };

// Appends ", steps=3", with all digits of it.
template <typename T>
void AppendStaticField(const T& value, const std::string& name,
                       std::string& text) {
  absl::StrAppend(&text, ", ", name, "=");
  if constexpr (std::is_enum_v<T>) {
    absl::StrAppend(&text, static_cast<int64_t>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    absl::StrAppendFormat(&text, "%.17g", value);
  } else if constexpr (std::is_same_v<T, bool>) {
    text += value ? "True" : "False";
  } else if constexpr (std::is_integral_v<T>) {
    text += std::to_string(value);
  } else {
    static_assert(std::is_same_v<T, std::string>,
                  "static fields are numbers, enums and strings");
    text += QuotedName(value);
  }
}

template <typename T>
void AppendStaticFields(const T& value, std::string& text) {
  if constexpr (HasStaticFields<T>) {
    const std::vector<std::string> names =
        SplitFieldNames(T::kStaticFieldNames);
    size_t i = 0;
    std::apply(
        [&](const auto&... fields) {
          (AppendStaticField(fields, names[i++], text), ...);
        },
        value.StaticFields());
  }
}

}  // namespace tree_walk_internal

// What is no container.
struct AnyLeaf {
  template <typename T>
  static constexpr bool kIsLeaf = !kIsTreeNode<T>;
};

inline std::string TreePath(const std::string& path, const std::string& key) {
  return path.empty() ? key : absl::StrCat(path, "/", key);
}

// The type of what MapLeaves makes of a T.
template <typename P, typename F, typename T,
          bool kIsLeaf = P::template kIsLeaf<T>>
struct MappedTreeType;
template <typename P, typename F, typename T>
using MappedTree = typename MappedTreeType<P, F, T>::Type;

template <typename P, typename F, typename T>
struct MappedTreeType<P, F, T, true> {
  using Type =
      std::decay_t<std::invoke_result_t<F&, const T&, const std::string&>>;
};
template <typename P, typename F, typename T, typename A>
struct MappedTreeType<P, F, std::vector<T, A>, false> {
  using Type = std::vector<MappedTree<P, F, T>>;
};
template <typename P, typename F, typename T, typename C, typename A>
struct MappedTreeType<P, F, std::map<std::string, T, C, A>, false> {
  using Type = std::map<std::string, MappedTree<P, F, T>, C>;
};
template <typename P, typename F, typename T>
struct MappedTreeType<P, F, std::optional<T>, false> {
  using Type = std::optional<MappedTree<P, F, T>>;
};
template <typename P, typename F, typename T>
struct MappedTreeType<P, F, Tree<T>, false> {
  using Type = Tree<MappedTree<P, F, T>>;
};
template <typename P, typename F, typename... Ts>
struct MappedTreeType<P, F, std::tuple<Ts...>, false> {
  using Type = std::tuple<MappedTree<P, F, Ts>...>;
};
template <typename P, typename F, typename A, typename B>
struct MappedTreeType<P, F, std::pair<A, B>, false> {
  using Type = std::pair<MappedTree<P, F, A>, MappedTree<P, F, B>>;
};
template <typename P, typename F, TreeStruct T>
struct MappedTreeType<P, F, T, false> {
  using Type = T;
};
template <typename P, typename F, template <typename> class S, typename T>
  requires TreeStruct<S<T>>
struct MappedTreeType<P, F, S<T>, false> {
  using Type = S<MappedTree<P, F, T>>;
};

// The type of the leaves of a T, or of its first ones.
template <typename P, typename T, bool kIsLeaf = P::template kIsLeaf<T>>
struct TreeLeafType;
template <typename P, typename T>
using TreeLeaf = typename TreeLeafType<P, T>::Type;

template <typename P, typename T>
struct TreeLeafType<P, T, true> {
  using Type = T;
};
template <typename P, typename T, typename A>
struct TreeLeafType<P, std::vector<T, A>, false> : TreeLeafType<P, T> {};
template <typename P, typename T, typename C, typename A>
struct TreeLeafType<P, std::map<std::string, T, C, A>, false>
    : TreeLeafType<P, T> {};
template <typename P, typename T>
struct TreeLeafType<P, std::optional<T>, false> : TreeLeafType<P, T> {};
template <typename P, typename T>
struct TreeLeafType<P, Tree<T>, false> : TreeLeafType<P, T> {};
template <typename P, typename T, typename... Ts>
struct TreeLeafType<P, std::tuple<T, Ts...>, false>
    : TreeLeafType<P, std::decay_t<T>> {};
template <typename P, typename A, typename B>
struct TreeLeafType<P, std::pair<A, B>, false> : TreeLeafType<P, A> {};
template <typename P, TreeStruct T>
struct TreeLeafType<P, T, false>
    : TreeLeafType<P, decltype(std::declval<const T&>().TreeFields())> {};
template <typename P, template <typename> class S, typename T>
  requires TreeStruct<S<T>>
struct TreeLeafType<P, S<T>, false> : TreeLeafType<P, T> {};

// f(child, key) for each child of a container, in order. The key is null where
// the child stands for the container: in an optional, or a Tree that is a leaf.
template <typename T, typename F>
void ForEachChild(const T& value, F&& f) {
  namespace internal = tree_walk_internal;
  const std::string* const no_key = nullptr;
  const auto with_key = [&](const auto& child, const std::string& key) {
    f(child, &key);
  };
  if constexpr (internal::kIs<T, Tree>) {
    if (value.is_leaf()) {
      f(value.leaf(), no_key);
    } else if (value.is_list()) {
      ForEachChild(value.list(), f);
    } else if (value.is_map()) {
      ForEachChild(value.map(), f);
    }
  } else if constexpr (internal::kIs<T, std::optional>) {
    if (value.has_value()) f(*value, no_key);
  } else if constexpr (internal::kIs<T, std::vector>) {
    for (size_t i = 0; i < value.size(); ++i) {
      with_key(value[i], std::to_string(i));
    }
  } else if constexpr (internal::kIs<T, std::map>) {
    for (const auto& [key, child] : value) with_key(child, key);
  } else if constexpr (internal::kIsTuple<T>) {
    size_t i = 0;
    std::apply(
        [&](const auto&... children) {
          (with_key(children, std::to_string(i++)), ...);
        },
        value);
  } else {
    static_assert(TreeStruct<T>,
                  "trees are leaves, and vectors, pairs, tuples, maps from "
                  "string, optionals, Trees and structs with "
                  "LOCKSTEP_TREE_FIELDS of them");
    const std::vector<std::string>& names = TreeFieldNames<T>();
    size_t i = 0;
    std::apply(
        [&](const auto&... children) { (with_key(children, names[i++]), ...); },
        value.TreeFields());
  }
}

// f(leaf, path) for each leaf, in order.
template <typename P, typename T, typename F>
void ForEachLeaf(const T& value, const std::string& path, F&& f) {
  if constexpr (P::template kIsLeaf<T>) {
    f(value, path);
  } else {
    ForEachChild(value, [&](const auto& child, const std::string* key) {
      if (key == nullptr) {
        ForEachLeaf<P>(child, path, f);
      } else {
        ForEachLeaf<P>(child, TreePath(path, *key), f);
      }
    });
  }
}

// The same containers with what f(leaf, path) gives in the place of the leaves,
// in order.
template <typename P, typename T, typename F>
MappedTree<P, std::decay_t<F>, T> MapLeaves(const T& value,
                                            const std::string& path, F&& f) {
  namespace internal = tree_walk_internal;
  using Result = MappedTree<P, std::decay_t<F>, T>;
  if constexpr (P::template kIsLeaf<T>) {
    return f(value, path);
  } else if constexpr (internal::kIs<T, Tree>) {
    return value.Transform(
        [&](const auto& leaf, const std::string& below) {
          return MapLeaves<P>(leaf, below, f);
        },
        path);
  } else if constexpr (internal::kIs<T, std::optional>) {
    Result result;
    if (value.has_value()) result = MapLeaves<P>(*value, path, f);
    return result;
  } else if constexpr (internal::kIs<T, std::vector>) {
    Result result;
    result.reserve(value.size());
    for (size_t i = 0; i < value.size(); ++i) {
      result.push_back(
          MapLeaves<P>(value[i], TreePath(path, std::to_string(i)), f));
    }
    return result;
  } else if constexpr (internal::kIs<T, std::map>) {
    Result result;
    for (const auto& [key, child] : value) {
      result.emplace(key, MapLeaves<P>(child, TreePath(path, key), f));
    }
    return result;
  } else if constexpr (internal::kIsTuple<T>) {
    return [&]<size_t... kIndices>(std::index_sequence<kIndices...>) {
      // Braces evaluate from left to right.
      return Result{MapLeaves<P>(std::get<kIndices>(value),
                                 TreePath(path, std::to_string(kIndices)),
                                 f)...};
    }(std::make_index_sequence<std::tuple_size_v<T>>());
  } else {
    Result result{};
    if constexpr (std::is_same_v<Result, T>) result = value;
    if constexpr (internal::HasStaticFields<T>) {
      result.StaticFields() = value.StaticFields();
    }
    const std::vector<std::string>& names = TreeFieldNames<T>();
    const auto children = value.TreeFields();
    const auto targets = result.TreeFields();
    const auto map_field = [&](const auto& child, auto& target,
                               const std::string& name) {
      using Child = decltype(MapLeaves<P>(child, path, f));
      static_assert(std::is_assignable_v<decltype(target), Child>,
                    "a member of a struct does not take another kind of "
                    "leaves: give it the type of the struct's parameter, or a "
                    "container of it, or make it a static field");
      target = MapLeaves<P>(child, TreePath(path, name), f);
    };
    [&]<size_t... kIndices>(std::index_sequence<kIndices...>) {
      (map_field(std::get<kIndices>(children), std::get<kIndices>(targets),
                 names[kIndices]),
       ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(children)>>());
    return result;
  }
}

// Appends the form of a tree, as Python would print it with * for the leaves:
// "{'a': *, 'b': [*, (*, None)]}", a struct as "(weight=*, bias=None)". Equal
// texts are equal forms.
template <typename P, typename T>
void AppendStructure(const T& value, std::string& text) {
  namespace internal = tree_walk_internal;
  const auto children = [&](const char* begin, const char* end, auto&& label) {
    text += begin;
    size_t count = 0;
    ForEachChild(value, [&](const auto& child, const std::string* key) {
      text += count++ == 0 ? "" : ", ";
      text += label(*key);
      AppendStructure<P>(child, text);
    });
    if constexpr (internal::kIsTuple<T>) text += count == 1 ? "," : "";
    text += end;
  };
  const auto no_label = [](const std::string&) { return ""; };
  const auto quoted = [](const std::string& key) {
    return absl::StrCat(QuotedName(key), ": ");
  };
  if constexpr (P::template kIsLeaf<T>) {
    text += "*";
  } else if constexpr (internal::kIs<T, Tree>) {
    if (value.is_leaf()) {
      AppendStructure<P>(value.leaf(), text);
    } else if (value.is_list()) {
      AppendStructure<P>(value.list(), text);
    } else if (value.is_map()) {
      AppendStructure<P>(value.map(), text);
    } else {
      text += "None";
    }
  } else if constexpr (internal::kIs<T, std::optional>) {
    if (value.has_value()) {
      AppendStructure<P>(*value, text);
    } else {
      text += "None";
    }
  } else if constexpr (internal::kIs<T, std::vector>) {
    children("[", "]", no_label);
  } else if constexpr (internal::kIs<T, std::map>) {
    children("{", "}", quoted);
  } else if constexpr (internal::kIsTuple<T>) {
    children("(", ")", no_label);
  } else {
    children("(", "", [](const std::string& name) { return name + "="; });
    internal::AppendStaticFields(value, text);
    text += ")";
  }
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TREES_TREE_WALK_H_
