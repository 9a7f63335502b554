#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_CLIQUE_PLAN_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_CLIQUE_PLAN_H_

#include <optional>
#include <vector>

#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/tree_reduce.h"

namespace lockstep::internal {

// How the ranks of a clique lie over hosts, and which parts of the reduction
// tree (spec K-4) a host can compute alone. The same on every host, but for
// self(). Immutable.
class CliquePlan {
 public:
  CliquePlan(const CliqueKey& key, HostId self);

  int rank_count() const { return static_cast<int>(host_of_rank_.size()); }
  // Hosts are counted 0 .. host_count() - 1 by their first rank.
  int host_count() const { return static_cast<int>(hosts_.size()); }
  HostId host(int index) const { return hosts_[index].id; }
  int self() const { return self_; }
  // Ascending.
  const std::vector<int>& ranks(int host_index) const {
    return hosts_[host_index].ranks;
  }
  const std::vector<int>& local_ranks() const { return ranks(self_); }
  int host_of_rank(int rank) const { return host_of_rank_[rank]; }

  // The largest nodes of the tree all of whose ranks are on this host,
  // ascending. Together those of all hosts cover the ranks.
  const std::vector<TreeNode>& subtrees(int host_index) const {
    return hosts_[host_index].subtrees;
  }
  TreeNode root() const { return {0, rank_count()}; }
  // Whether every host has one subtree, and the nodes above those have as many
  // hosts on the left as on the right: host h's half of a node of 2n hosts has
  // its counterpart on host h ^ n.
  bool pairs_up() const { return pairs_up_; }

  // Which host's which subtree `node` is, if it is one.
  struct Place {
    int host = 0;
    int subtree = 0;
  };
  std::optional<Place> FindSubtree(TreeNode node) const;

 private:
  struct Host {
    HostId id;
    std::vector<int> ranks;
    std::vector<TreeNode> subtrees;
  };
  void AddSubtrees(TreeNode node);
  // Of the hosts [first, first + count).
  bool PairsUp(TreeNode node, int first, int count) const;

  std::vector<Host> hosts_;
  int self_ = 0;
  std::vector<int> host_of_rank_;
  bool pairs_up_ = false;
  // By first rank.
  std::vector<std::optional<std::pair<TreeNode, Place>>> places_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_CLIQUE_PLAN_H_
