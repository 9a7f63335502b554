#ifndef LOCKSTEP_RUNTIME_SHARDING_DISJOINT_SETS_H_
#define LOCKSTEP_RUNTIME_SHARDING_DISJOINT_SETS_H_

#include <algorithm>
#include <numeric>
#include <vector>

namespace lockstep::internal {

// The numbers 0 to n-1, each in a set of its own until sets are joined. The
// smallest number of a set stands for it.
class DisjointSets {
 public:
  explicit DisjointSets(int count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }

  int Find(int number) {
    while (parents_[number] != number) {
      parents_[number] = parents_[parents_[number]];
      number = parents_[number];
    }
    return number;
  }
  void Join(int a, int b) {
    a = Find(a);
    b = Find(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parents_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_DISJOINT_SETS_H_
