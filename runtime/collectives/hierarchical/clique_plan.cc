#include "runtime/collectives/hierarchical/clique_plan.h"

#include <algorithm>

#include "runtime/base/check.h"

namespace lockstep::internal {

CliquePlan::CliquePlan(const CliqueKey& key, HostId self)
    : self_(-1), places_(key.size()) {
  for (HostId id : key.Hosts()) {
    if (id == self) self_ = host_count();
    hosts_.push_back(Host{id, {}, {}});
  }
  LOCKSTEP_CHECK(self_ >= 0);
  for (int rank = 0; rank < key.size(); ++rank) {
    HostId id = key.members()[rank].host;
    auto host = std::find_if(hosts_.begin(), hosts_.end(),
                             [id](const Host& h) { return h.id == id; });
    host->ranks.push_back(rank);
    host_of_rank_.push_back(static_cast<int>(host - hosts_.begin()));
  }
  AddSubtrees(root());
  pairs_up_ = PairsUp(root(), 0, host_count());
}

void CliquePlan::AddSubtrees(TreeNode node) {
  int host = host_of_rank_[node.begin];
  bool is_on_one_host = std::all_of(
      host_of_rank_.begin() + node.begin, host_of_rank_.begin() + node.end,
      [host](int other) { return other == host; });
  if (!is_on_one_host) {
    AddSubtrees(LeftOf(node));
    AddSubtrees(RightOf(node));
    return;
  }
  Place place{host, static_cast<int>(hosts_[host].subtrees.size())};
  hosts_[host].subtrees.push_back(node);
  places_[node.begin] = std::make_pair(node, place);
}

bool CliquePlan::PairsUp(TreeNode node, int first, int count) const {
  if (count == 1) return subtrees(first) == std::vector<TreeNode>{node};
  return count % 2 == 0 && node.size() > 1 &&
         PairsUp(LeftOf(node), first, count / 2) &&
         PairsUp(RightOf(node), first + count / 2, count / 2);
}

std::optional<CliquePlan::Place> CliquePlan::FindSubtree(TreeNode node) const {
  const auto& entry = places_[node.begin];
  if (!entry || !(entry->first == node)) return std::nullopt;
  return entry->second;
}

}  // namespace lockstep::internal
