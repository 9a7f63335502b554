#ifndef LOCKSTEP_CLIENT_TRACER_TREE_COLLECTIVES_H_
#define LOCKSTEP_CLIENT_TRACER_TREE_COLLECTIVES_H_

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "client/tracer/collectives.h"
#include "client/tracer/holds_tensors.h"
#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"
#include "client/trees/tree_map.h"

// The collectives of collectives.h for trees of tensors (client/trees), such as
// the gradients of a model: each is that of every leaf, in order, and gives a
// tree of the same containers. Leaves may differ in shape and type; a tree
// without leaves communicates nothing. Collectives of one kind that follow each
// other are sent together where that is faster.

namespace lockstep {

// A container of tensors that is no tensor itself.
template <typename T>
concept TensorTree = internal::kHoldsTensors<T> && !std::is_same_v<T, Tensor>;

namespace internal {

// f(leaf as an operand of this place) in the place of every leaf.
template <TensorTree T, typename F>
auto MapOperands(const T& tree, SourceLocation location, F&& f) {
  return tree_map(
      [&](const auto& leaf) -> Tensor { return f(Operand(leaf, location)); },
      tree);
}

}  // namespace internal

template <TensorTree T>
auto psum(const T& tree, const AxisNames& axes,
          const ReduceOptions& options = {},
          SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(
      tree, location, [&](const Operand& x) { return psum(x, axes, options); });
}

template <TensorTree T>
auto pmean(const T& tree, const AxisNames& axes,
           const ReduceOptions& options = {},
           SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(tree, location, [&](const Operand& x) {
    return pmean(x, axes, options);
  });
}

template <TensorTree T>
auto pmax(const T& tree, const AxisNames& axes,
          const ReduceOptions& options = {},
          SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(
      tree, location, [&](const Operand& x) { return pmax(x, axes, options); });
}

template <TensorTree T>
auto pmin(const T& tree, const AxisNames& axes,
          const ReduceOptions& options = {},
          SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(
      tree, location, [&](const Operand& x) { return pmin(x, axes, options); });
}

template <TensorTree T>
auto pargmax(const T& tree, const AxisNames& axes,
             const ReduceOptions& options = {},
             SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(tree, location, [&](const Operand& x) {
    return pargmax(x, axes, options);
  });
}

template <TensorTree T>
auto pargmin(const T& tree, const AxisNames& axes,
             const ReduceOptions& options = {},
             SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(tree, location, [&](const Operand& x) {
    return pargmin(x, axes, options);
  });
}

template <TensorTree T>
auto all_gather(const T& tree, const AxisNames& axes,
                const GatherOptions& options = {},
                SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(tree, location, [&](const Operand& x) {
    return all_gather(x, axes, options);
  });
}

template <TensorTree T>
auto psum_scatter(const T& tree, const AxisNames& axes,
                  const GatherOptions& options = {},
                  SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(tree, location, [&](const Operand& x) {
    return psum_scatter(x, axes, options);
  });
}

template <TensorTree T>
auto all_to_all(const T& tree, const AxisNames& axes, int64_t split_dim,
                int64_t concat_dim, const AllToAllOptions& options = {},
                SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(tree, location, [&](const Operand& x) {
    return all_to_all(x, axes, split_dim, concat_dim, options);
  });
}

template <TensorTree T>
auto pswapaxes(const T& tree, const AxisNames& axes, int64_t dim,
               const ReduceOptions& options = {},
               SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(tree, location, [&](const Operand& x) {
    return pswapaxes(x, axes, dim, options);
  });
}

template <TensorTree T>
auto ppermute(const T& tree, const AxisNames& axes,
              const std::vector<std::pair<int64_t, int64_t>>& pairs,
              const ReduceOptions& options = {},
              SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(tree, location, [&](const Operand& x) {
    return ppermute(x, axes, pairs, options);
  });
}

template <TensorTree T>
auto pbroadcast(const T& tree, const AxisNames& axes, int64_t source,
                const ReduceOptions& options = {},
                SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(tree, location, [&](const Operand& x) {
    return pbroadcast(x, axes, source, options);
  });
}

template <TensorTree T>
auto pshuffle(const T& tree, const AxisNames& axes,
              const std::vector<int64_t>& sources,
              const ReduceOptions& options = {},
              SourceLocation location = SourceLocation::current()) {
  return internal::MapOperands(tree, location, [&](const Operand& x) {
    return pshuffle(x, axes, sources, options);
  });
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_TREE_COLLECTIVES_H_
