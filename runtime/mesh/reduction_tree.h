#ifndef LOCKSTEP_RUNTIME_MESH_REDUCTION_TREE_H_
#define LOCKSTEP_RUNTIME_MESH_REDUCTION_TREE_H_

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/base/check.h"

namespace lockstep::internal {

// The one order in which the members of a group are reduced (spec K-4):
// S(n) = S(first m) + S(rest), m the largest power of two below n; S(1) is
// the member itself. It depends on the ordered group only, so results are the
// same bits however the members lie over hosts.

// m; `n` must be at least 2.
inline int64_t ReductionTreeSplit(int64_t n) {
  LOCKSTEP_CHECK(n >= 2);
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(n - 1)));
}

namespace reduction_tree_internal {

template <typename Leaf, typename Combine>
auto Reduce(int64_t begin, int64_t end, Leaf& leaf, Combine& combine)
    -> decltype(leaf(begin)) {
  if (end - begin == 1) return leaf(begin);
  const int64_t middle = begin + ReductionTreeSplit(end - begin);
  auto left = Reduce(begin, middle, leaf, combine);
  auto right = Reduce(middle, end, leaf, combine);
  return combine(std::move(left), std::move(right));
}

}  // namespace reduction_tree_internal

// The reduction of leaf(0) .. leaf(n - 1), n >= 1, by combine(left, right).
// Leaves are asked for in order; log2(n) + 1 partial results live at most.
template <typename Leaf, typename Combine>
auto ReduceTree(int64_t n, Leaf leaf, Combine combine)
    -> decltype(leaf(int64_t{0})) {
  LOCKSTEP_CHECK(n >= 1);
  return reduction_tree_internal::Reduce(0, n, leaf, combine);
}

// An inner node: the result of members [begin, end) is that of [begin, middle)
// combined with that of [middle, end). When each result is kept in the slot of
// its first member, the step is slot[begin] = combine(slot[begin],
// slot[middle]).
struct ReductionNode {
  int64_t begin = 0;
  int64_t middle = 0;
  int64_t end = 0;
  // 1 above two leaves; nodes of one height are independent of each other.
  int height = 0;
  friend bool operator==(const ReductionNode&, const ReductionNode&) = default;
};

// The n - 1 inner nodes of S(n), every node after those below it; the last is
// the root. Empty for n = 1.
std::vector<ReductionNode> ReductionNodes(int64_t n);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_REDUCTION_TREE_H_
