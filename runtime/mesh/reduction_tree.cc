#include "runtime/mesh/reduction_tree.h"

#include <algorithm>

namespace lockstep::internal {

std::vector<ReductionNode> ReductionNodes(int64_t n) {
  struct Subtree {
    int64_t begin;
    int64_t end;
    int height;
  };
  std::vector<ReductionNode> nodes;
  ReduceTree(
      n, [](int64_t i) { return Subtree{i, i + 1, 0}; },
      [&nodes](Subtree left, Subtree right) {
        const int height = std::max(left.height, right.height) + 1;
        nodes.push_back({left.begin, right.begin, right.end, height});
        return Subtree{left.begin, right.end, height};
      });
  return nodes;
}

}  // namespace lockstep::internal
