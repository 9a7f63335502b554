#ifndef LOCKSTEP_CLIENT_ARGUMENT_TREE_H_
#define LOCKSTEP_CLIENT_ARGUMENT_TREE_H_

#include <complex>
#include <concepts>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "client/array.h"
#include "client/tracer/creation.h"
#include "client/tracer/tensor.h"
#include "client/tree.h"

// Arguments and results of mapped functions as lists of leaves and back. What
// is an Array outside is a Tensor inside; containers keep their form:
// std::vector, pair, tuple, map from string, Tree.

namespace lockstep::internal {

// A leaf of the arguments.
struct ArgumentLeafValue {
  std::string path;
  int argument = 0;  // which argument it belongs to
  Array value;
  // A C++ number: no shape, not mapped, weakly typed. A double has type f64
  // here, so that none of its digits is lost; it is f32 where it meets no f64.
  bool is_number = false;
};

// A number as the value of such a leaf: its own element type, see Operand.
Literal NumberArgument(const Operand& number);

namespace argument_tree_internal {

template <typename T>
constexpr bool kIsArray = std::is_convertible_v<const T&, Array>;
template <typename T, template <typename...> class Template>
constexpr bool kIs = false;
template <template <typename...> class Template, typename... Args>
constexpr bool kIs<Template<Args...>, Template> = true;
template <typename T>
constexpr bool kIsTuple = kIs<T, std::tuple> || kIs<T, std::pair>;

// A pair or tuple of what `function` makes of the children, in order.
template <typename T, typename F>
auto MapTuple(const T& value, F&& function) {
  if constexpr (kIs<T, std::pair>) {
    auto first = function(value.first);
    return std::pair(std::move(first), function(value.second));
  } else {
    // Braces evaluate from left to right.
    return std::apply(
        [&](const auto&... children) {
          return std::tuple<decltype(function(children))...>{
              function(children)...};
        },
        value);
  }
}

inline std::string Join(const std::string& path, const std::string& key) {
  return path + "/" + key;
}

}  // namespace argument_tree_internal

// Whether T is a tensor, or a container of tensors: an argument of a nested
// map.
template <typename T>
constexpr bool kHoldsTensors = std::is_same_v<T, Tensor>;
template <typename T, typename A>
constexpr bool kHoldsTensors<std::vector<T, A>> = kHoldsTensors<T>;
template <typename T>
constexpr bool kHoldsTensors<Tree<T>> = kHoldsTensors<T>;
template <typename T, typename C, typename A>
constexpr bool kHoldsTensors<std::map<std::string, T, C, A>> = kHoldsTensors<T>;
template <typename... Ts>
constexpr bool kHoldsTensors<std::tuple<Ts...>> = (kHoldsTensors<Ts> || ...);
template <typename A, typename B>
constexpr bool kHoldsTensors<std::pair<A, B>> =
    kHoldsTensors<A> || kHoldsTensors<B>;

// Appends the leaves of one argument, in order.
template <typename T>
void AppendLeaves(const T& value, const std::string& path, int argument,
                  std::vector<ArgumentLeafValue>& leaves) {
  namespace internal = argument_tree_internal;
  if constexpr (internal::kIsArray<T>) {
    leaves.push_back({path, argument, Array(value), false});
  } else if constexpr (HostScalar<T>) {
    if constexpr (std::same_as<T, float> ||
                  std::same_as<T, std::complex<float>>) {
      leaves.push_back({path, argument, Array(Literal::Scalar(value)), true});
    } else {
      leaves.push_back({path, argument, Array(NumberArgument(value)), true});
    }
  } else if constexpr (internal::kIs<T, Tree>) {
    value.Transform([&](const Array& leaf, const std::string& below) {
      leaves.push_back({internal::Join(path, below), argument, leaf, false});
      return 0;
    });
  } else if constexpr (internal::kIs<T, std::vector>) {
    for (size_t i = 0; i < value.size(); ++i) {
      AppendLeaves(value[i], internal::Join(path, std::to_string(i)), argument,
                   leaves);
    }
  } else if constexpr (internal::kIs<T, std::map>) {
    for (const auto& [key, child] : value) {
      AppendLeaves(child, internal::Join(path, key), argument, leaves);
    }
  } else {
    static_assert(internal::kIsTuple<T>,
                  "arguments are arrays, numbers, or vectors, tuples, maps and "
                  "trees of them");
    int i = 0;
    std::apply(
        [&](const auto&... children) {
          (AppendLeaves(children, internal::Join(path, std::to_string(i++)),
                        argument, leaves),
           ...);
        },
        value);
  }
}

// Appends what two arguments with the same leaves may differ in: the kinds of
// their containers, their sizes and keys.
template <typename T>
void AppendForm(const T& value, std::string& form) {
  namespace internal = argument_tree_internal;
  const auto append_key = [&](const std::string& key) {
    form += std::to_string(key.size()) + ":" + key;
  };
  if constexpr (internal::kIsArray<T> || HostScalar<T>) {
    form += "*";
  } else if constexpr (internal::kIs<T, Tree>) {
    form += value.is_leaf() ? "*" : value.is_list() ? "[" : "{";
    if (value.is_list()) {
      for (const T& child : value.list()) AppendForm(child, form);
    } else if (value.is_map()) {
      for (const auto& [key, child] : value.map()) {
        append_key(key);
        AppendForm(child, form);
      }
    }
    form += value.is_leaf() ? "" : value.is_list() ? "]" : "}";
  } else if constexpr (internal::kIs<T, std::vector>) {
    form += "[";
    for (const auto& child : value) AppendForm(child, form);
    form += "]";
  } else if constexpr (internal::kIs<T, std::map>) {
    form += "{";
    for (const auto& [key, child] : value) {
      append_key(key);
      AppendForm(child, form);
    }
    form += "}";
  } else {
    form += "(";
    std::apply(
        [&](const auto&... children) { (AppendForm(children, form), ...); },
        value);
    form += ")";
  }
}

// Hands out tensors in order.
class TensorCursor {
 public:
  explicit TensorCursor(const std::vector<Tensor>& tensors)
      : tensors_(tensors) {}
  Tensor Next() { return tensors_[next_++]; }

 private:
  const std::vector<Tensor>& tensors_;
  size_t next_ = 0;
};

// `value` with tensors in place of its leaves.
template <typename T>
auto ToTensors(const T& value, TensorCursor& cursor) {
  namespace internal = argument_tree_internal;
  if constexpr (internal::kIsArray<T> || HostScalar<T>) {
    return cursor.Next();
  } else if constexpr (internal::kIs<T, Tree>) {
    return value.Transform(
        [&](const Array&, const std::string&) { return cursor.Next(); });
  } else if constexpr (internal::kIs<T, std::vector>) {
    std::vector<decltype(ToTensors(value[0], cursor))> tensors;
    for (const auto& child : value) tensors.push_back(ToTensors(child, cursor));
    return tensors;
  } else if constexpr (internal::kIs<T, std::map>) {
    std::map<std::string, decltype(ToTensors(value.begin()->second, cursor))>
        tensors;
    for (const auto& [key, child] : value) {
      tensors.emplace(key, ToTensors(child, cursor));
    }
    return tensors;
  } else {
    return internal::MapTuple(
        value, [&](const auto& child) { return ToTensors(child, cursor); });
  }
}

// The tensors of a result, in order. Numbers become constants.
template <typename R>
void AppendTensors(const R& result, std::vector<Tensor>& tensors) {
  namespace internal = argument_tree_internal;
  if constexpr (std::is_same_v<R, Tensor>) {
    tensors.push_back(result);
  } else if constexpr (HostScalar<R>) {
    tensors.push_back(asarray(result));
  } else if constexpr (internal::kIs<R, Tree>) {
    result.Transform([&](const Tensor& leaf, const std::string&) {
      tensors.push_back(leaf);
      return 0;
    });
  } else if constexpr (internal::kIs<R, std::vector>) {
    for (const auto& child : result) AppendTensors(child, tensors);
  } else if constexpr (internal::kIs<R, std::map>) {
    for (const auto& [key, child] : result) AppendTensors(child, tensors);
  } else {
    static_assert(internal::kIsTuple<R>,
                  "results are tensors, numbers, or vectors, tuples, maps and "
                  "trees of them");
    std::apply(
        [&](const auto&... children) {
          (AppendTensors(children, tensors), ...);
        },
        result);
  }
}

// `form` with the tensors of the cursor in place of its own, and of numbers.
template <typename R>
auto WithTensors(const R& form, TensorCursor& cursor) {
  namespace internal = argument_tree_internal;
  if constexpr (std::is_same_v<R, Tensor> || HostScalar<R>) {
    return cursor.Next();
  } else if constexpr (internal::kIs<R, Tree>) {
    return form.Transform(
        [&](const Tensor&, const std::string&) { return cursor.Next(); });
  } else if constexpr (internal::kIs<R, std::vector>) {
    std::vector<decltype(WithTensors(form[0], cursor))> result;
    for (const auto& child : form) result.push_back(WithTensors(child, cursor));
    return result;
  } else if constexpr (internal::kIs<R, std::map>) {
    std::map<std::string, decltype(WithTensors(form.begin()->second, cursor))>
        result;
    for (const auto& [key, child] : form) {
      result.emplace(key, WithTensors(child, cursor));
    }
    return result;
  } else {
    static_assert(internal::kIsTuple<R>,
                  "arguments and results of a nested map are tensors, or "
                  "vectors, tuples, maps and trees of them");
    return internal::MapTuple(
        form, [&](const auto& child) { return WithTensors(child, cursor); });
  }
}

class ArrayCursor {
 public:
  explicit ArrayCursor(const std::vector<Array>& arrays) : arrays_(arrays) {}
  Array Next() { return arrays_[next_++]; }

 private:
  const std::vector<Array>& arrays_;
  size_t next_ = 0;
};

// `result` with arrays in place of its tensors.
template <typename R>
auto ToArrays(const R& result, ArrayCursor& cursor) {
  namespace internal = argument_tree_internal;
  if constexpr (std::is_same_v<R, Tensor> || HostScalar<R>) {
    return cursor.Next();
  } else if constexpr (internal::kIs<R, Tree>) {
    return result.Transform(
        [&](const Tensor&, const std::string&) { return cursor.Next(); });
  } else if constexpr (internal::kIs<R, std::vector>) {
    std::vector<decltype(ToArrays(result[0], cursor))> arrays;
    for (const auto& child : result) arrays.push_back(ToArrays(child, cursor));
    return arrays;
  } else if constexpr (internal::kIs<R, std::map>) {
    std::map<std::string, decltype(ToArrays(result.begin()->second, cursor))>
        arrays;
    for (const auto& [key, child] : result) {
      arrays.emplace(key, ToArrays(child, cursor));
    }
    return arrays;
  } else {
    return internal::MapTuple(
        result, [&](const auto& child) { return ToArrays(child, cursor); });
  }
}

// `result` without its tensors, which would keep their trace alive.
template <typename R>
R FormOf(const R& result) {
  namespace internal = argument_tree_internal;
  if constexpr (std::is_same_v<R, Tensor>) {
    return Tensor();
  } else if constexpr (HostScalar<R>) {
    return result;
  } else if constexpr (internal::kIs<R, Tree>) {
    return result.Transform(
        [](const Tensor&, const std::string&) { return Tensor(); });
  } else if constexpr (internal::kIs<R, std::vector>) {
    R form;
    for (const auto& child : result) form.push_back(FormOf(child));
    return form;
  } else if constexpr (internal::kIs<R, std::map>) {
    R form;
    for (const auto& [key, child] : result) form.emplace(key, FormOf(child));
    return form;
  } else {
    return internal::MapTuple(result,
                              [](const auto& child) { return FormOf(child); });
  }
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_ARGUMENT_TREE_H_
