#ifndef LOCKSTEP_CLIENT_PMAP_ARGUMENT_TREE_H_
#define LOCKSTEP_CLIENT_PMAP_ARGUMENT_TREE_H_

#include <complex>
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/tracer/creation.h"
#include "client/tracer/holds_tensors.h"
#include "client/tracer/tensor.h"
#include "client/trees/tree_walk.h"

// Arguments and results of mapped functions as lists of leaves and back. What
// is an Array outside is a Tensor inside; containers keep their form, see
// tree_walk.h.

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

// The positions of the leaves of these arguments. INVALID_ARGUMENT: there is no
// such argument.
absl::StatusOr<std::vector<int>> DonatedLeaves(
    const std::vector<int>& donate_argnums, int argument_count,
    const std::vector<ArgumentLeafValue>& leaves);

// Leaves of the arguments of a mapped function.
struct ArgumentLeaves {
  template <typename T>
  static constexpr bool kIsLeaf =
      std::is_convertible_v<const T&, Array> || HostScalar<T>;
};

// Leaves of what happens within one: of its results, and of what nested maps
// take and give.
struct TracedLeaves {
  template <typename T>
  static constexpr bool kIsLeaf = std::same_as<T, Tensor> || HostScalar<T>;
};

// Appends the leaves of one argument, in order.
template <typename T>
void AppendLeaves(const T& value, const std::string& path, int argument,
                  std::vector<ArgumentLeafValue>& leaves) {
  ForEachLeaf<ArgumentLeaves>(
      value, path, [&]<typename Leaf>(const Leaf& leaf, const std::string& of) {
        if constexpr (std::is_convertible_v<const Leaf&, Array>) {
          leaves.push_back({of, argument, Array(leaf), false});
        } else if constexpr (std::same_as<Leaf, float> ||
                             std::same_as<Leaf, std::complex<float>>) {
          leaves.push_back({of, argument, Array(Literal::Scalar(leaf)), true});
        } else {
          leaves.push_back({of, argument, Array(NumberArgument(leaf)), true});
        }
      });
}

// Appends what two arguments with the same leaves may differ in: the kinds of
// their containers, their sizes and keys, absent values, static fields.
template <typename T>
void AppendForm(const T& value, std::string& form) {
  AppendStructure<ArgumentLeaves>(value, form);
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
  return MapLeaves<ArgumentLeaves>(
      value, "",
      [&](const auto&, const std::string&) { return cursor.Next(); });
}

// The tensors of a result, in order. Numbers become constants.
template <typename R>
void AppendTensors(const R& result, std::vector<Tensor>& tensors) {
  ForEachLeaf<TracedLeaves>(
      result, "", [&]<typename Leaf>(const Leaf& leaf, const std::string&) {
        if constexpr (std::same_as<Leaf, Tensor>) {
          tensors.push_back(leaf);
        } else {
          tensors.push_back(asarray(leaf));
        }
      });
}

// `form` with the tensors of the cursor in place of its own, and of numbers.
template <typename R>
auto WithTensors(const R& form, TensorCursor& cursor) {
  return MapLeaves<TracedLeaves>(
      form, "", [&](const auto&, const std::string&) { return cursor.Next(); });
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
  return MapLeaves<TracedLeaves>(
      result, "",
      [&](const auto&, const std::string&) { return cursor.Next(); });
}

// `result` without its tensors, which would keep their trace alive.
template <typename R>
R FormOf(const R& result) {
  return MapLeaves<TracedLeaves>(
      result, "", []<typename Leaf>(const Leaf& leaf, const std::string&) {
        if constexpr (std::same_as<Leaf, Tensor>) {
          return Tensor();
        } else {
          return leaf;
        }
      });
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PMAP_ARGUMENT_TREE_H_
