#ifndef LOCKSTEP_CLIENT_TREES_TREE_STRUCTS_TESTING_H_
#define LOCKSTEP_CLIENT_TREES_TREE_STRUCTS_TESTING_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/trees/tree.h"
#include "client/trees/tree_fields.h"

// Structs as programs write them.

namespace lockstep::internal {

template <typename T>
struct Layer {
  T weight;
  std::optional<T> bias;
  LOCKSTEP_TREE_FIELDS(weight, bias)
};

// A container of each kind. `inner` is of its own type; `note` is in no tree.
template <typename T>
struct Model {
  std::vector<Layer<T>> layers;
  std::map<std::string, T> named;
  std::pair<T, std::vector<T>> pair;
  Tree<T> tree;
  std::vector<Model> inner;
  int steps = 0;
  std::string activation;
  std::string note;
  LOCKSTEP_TREE_FIELDS(layers, named, pair, tree, inner)
  LOCKSTEP_STATIC_FIELDS(steps, activation)
};

// Without a parameter.
struct Statistics {
  double mean = 0;
  double variance = 0;
  LOCKSTEP_TREE_FIELDS(variance, mean)
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TREES_TREE_STRUCTS_TESTING_H_
