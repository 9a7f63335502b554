#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_TREE_REDUCE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_TREE_REDUCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "runtime/collectives/reduction.h"

namespace lockstep::internal {

// Ranks [begin, end) of the reduction tree (spec K-4): a node of n > 1 ranks
// has the largest power of two below n on its left, the rest on its right.
struct TreeNode {
  int begin = 0;
  int end = 0;
  int size() const { return end - begin; }
  friend bool operator==(TreeNode, TreeNode) = default;
};
// The halves of a node of at least two ranks.
TreeNode LeftOf(TreeNode node);
TreeNode RightOf(TreeNode node);

// A node whose value is at hand: `data` points to element 0.
struct TreeValue {
  const std::byte* data = nullptr;
  // Of the accumulation type; otherwise an operand of one rank.
  bool is_partial = false;
};

// The value of a node, or nullopt when it is to be computed from its halves.
// Nodes of one rank must have a value.
using TreeValueOf = absl::FunctionRef<std::optional<TreeValue>(TreeNode)>;

// accumulator[i - first] = the value of `root` for the elements first .. first
// + count - 1. Works in blocks that stay in cache; the blocks do not change
// the bits. Errors are Combine's.
absl::Status TreeReduce(const Reduction& reduction, TreeNode root,
                        TreeValueOf value_of, int64_t first, int64_t count,
                        std::byte* accumulator);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_TREE_REDUCE_H_
