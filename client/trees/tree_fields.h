#ifndef LOCKSTEP_CLIENT_TREES_TREE_FIELDS_H_
#define LOCKSTEP_CLIENT_TREES_TREE_FIELDS_H_

#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/string_view.h"

// Makes a struct a container of trees: within it, the names of the members that
// are children, in order. What trees are made of is the struct's parameter, so
// that a mapped function gets a Layer<Tensor> where a Layer<Array> was passed:
//
//   template <typename T>
//   struct Layer {
//     T weight;
//     std::optional<T> bias;
//     LOCKSTEP_TREE_FIELDS(weight, bias)
//   };
//
// A struct without a parameter, or with members that do not depend on it, keeps
// its type where leaves do. The struct needs a default constructor; it remains
// an aggregate. Members that are not named are not looked at: a copy with other
// leaves has their defaults.
#define LOCKSTEP_TREE_FIELDS(...)                         \
  static constexpr char kTreeFieldNames[] = #__VA_ARGS__; \
  auto TreeFields() { return std::tie(__VA_ARGS__); }     \
  auto TreeFields() const { return std::tie(__VA_ARGS__); }

// Beside LOCKSTEP_TREE_FIELDS: members that belong to the form of the tree, not
// to its leaves (JAX's static fields): numbers, enums and strings. Trees that
// differ in them have different structures; copies have them.
#define LOCKSTEP_STATIC_FIELDS(...)                         \
  static constexpr char kStaticFieldNames[] = #__VA_ARGS__; \
  auto StaticFields() { return std::tie(__VA_ARGS__); }     \
  auto StaticFields() const { return std::tie(__VA_ARGS__); }

namespace lockstep::internal {

template <typename T>
concept TreeStruct = requires(const T& value) {
  T::kTreeFieldNames;
  value.TreeFields();
};

// "weight", "bias" of "weight, bias".
std::vector<std::string> SplitFieldNames(absl::string_view names);

// Those of T.
template <typename T>
const std::vector<std::string>& TreeFieldNames() {
  static const auto* const names =
      new std::vector<std::string>(SplitFieldNames(T::kTreeFieldNames));
  return *names;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TREES_TREE_FIELDS_H_
