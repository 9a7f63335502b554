#include "runtime/passes/optimize/fusion_plan.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "runtime/passes/optimize/fusion_group.h"

namespace lockstep::internal {
namespace {

// A cheap op is computed in at most so many kernels.
constexpr size_t kMaxRepeats = 3;

// One use of a result: by the operand `operand` of the op at `position`, or, at
// -1, by something in that op's regions.
struct Use {
  int position;
  int operand;
};

class Planner {
 public:
  Planner(const Region& region, FusionRoles& roles)
      : region_(region), roles_(roles) {
    const int count = static_cast<int>(region.ops().size());
    uses_.resize(count);
    groups_of_.resize(count);
    for (int i = 0; i < count; ++i) positions_[region.ops()[i].get()] = i;
    for (int i = 0; i < count; ++i) {
      const Op& op = *region.ops()[i];
      for (int j = 0; j < op.operand_count(); ++j) {
        AddUse(op.operand(j), {i, j});
      }
      for (const auto& nested : op.regions()) AddNestedUses(*nested, i);
    }
  }

  std::vector<PlannedFusion> Run() {
    for (int i = static_cast<int>(region_.ops().size()) - 1; i >= 0; --i) {
      Place(i);
    }
    std::vector<PlannedFusion> fusions;
    for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
      fusions.push_back(Planned(*group));
    }
    return fusions;
  }

 private:
  // The users of an op: the kernels with the contexts in which they need it,
  // and the first place that is no kernel.
  struct Users {
    std::map<int, FusionGroup::Contexts> contexts;  // by group
    bool has_others = false;
    int first_other = std::numeric_limits<int>::max();
  };

  void AddUse(const Value* value, Use use) {
    if (value->defining_op() == nullptr) return;
    const auto position = positions_.find(value->defining_op());
    if (position != positions_.end()) uses_[position->second].push_back(use);
  }
  void AddNestedUses(const Region& region, int position) {
    for (const auto& op : region.ops()) {
      for (const Value* operand : op->operands()) {
        AddUse(operand, {position, -1});
      }
      for (const auto& nested : op->regions()) AddNestedUses(*nested, position);
    }
  }

  Users UsersOf(int position) {
    Users users;
    for (const Use& use : uses_[position]) {
      if (groups_of_[use.position].empty()) {
        users.has_others = true;
        users.first_other = std::min(users.first_other, use.position);
        continue;
      }
      for (int group : groups_of_[use.position]) {
        groups_[group].AddContexts(*region_.ops()[use.position], use.operand,
                                   users.contexts[group]);
      }
    }
    return users;
  }

  void Place(int position) {
    const Op& op = *region_.ops()[position];
    const FusionRole role = roles_.Of(op);
    if (role == FusionRole::kNone || role == FusionRole::kLeaf ||
        uses_[position].empty()) {
      return;
    }
    const Users users = UsersOf(position);
    if (TryJoinOnly(position, op, users) || TryRepeat(position, op, users) ||
        TryJoinFirst(position, op, users)) {
      return;
    }
    // A reshape moves nothing; a kernel that ends with one would.
    if (op.name() == "stablehlo.reshape") return;
    groups_of_[position].push_back(static_cast<int>(groups_.size()));
    groups_.emplace_back(op, position, roles_);
  }

  bool TryJoin(int position, const Op& op, int group,
               const FusionGroup::Contexts& contexts, bool is_output) {
    if (!groups_[group].TryJoin(op, contexts, is_output)) return false;
    groups_of_[position].push_back(group);
    return true;
  }

  // All users are in one kernel.
  bool TryJoinOnly(int position, const Op& op, const Users& users) {
    if (users.has_others || users.contexts.size() != 1) return false;
    const auto& [group, contexts] = *users.contexts.begin();
    return TryJoin(position, op, group, contexts, false);
  }

  // Returns whether all users have it. Free ops go to whoever can take them
  // and are computed for the others.
  bool TryRepeat(int position, const Op& op, const Users& users) {
    const bool is_free = IsFree(op);
    if (!is_free && (users.has_others || users.contexts.size() > kMaxRepeats ||
                     roles_.Of(op) == FusionRole::kReduce ||
                     !IsCheapToRepeat(op, roles_))) {
      return false;
    }
    bool all = !users.has_others;
    for (const auto& [group, contexts] : users.contexts) {
      all &= TryJoin(position, op, group, contexts, false);
    }
    if (all) return true;
    // Who could not take it reads the result.
    groups_of_[position].push_back(static_cast<int>(groups_.size()));
    groups_.emplace_back(op, position, roles_);
    return true;
  }

  // The kernel that reads it first, if nobody else reads it before that.
  bool TryJoinFirst(int position, const Op& op, const Users& users) {
    const FusionGroup* first = nullptr;
    int first_group = -1;
    for (const auto& [group, contexts] : users.contexts) {
      if (first == nullptr || groups_[group].place() < first->place()) {
        first = &groups_[group];
        first_group = group;
      }
    }
    if (first == nullptr || users.first_other <= first->place()) return false;
    return TryJoin(position, op, first_group, users.contexts.at(first_group),
                   true);
  }

  PlannedFusion Planned(const FusionGroup& group) const {
    PlannedFusion fusion;
    fusion.kind = group.kind();
    fusion.members = group.members();
    std::reverse(fusion.members.begin(), fusion.members.end());
    for (const Op* member : fusion.members) {
      if (group.outputs().contains(member)) fusion.outputs.push_back(member);
    }
    return fusion;
  }

  const Region& region_;
  FusionRoles& roles_;
  absl::flat_hash_map<const Op*, int> positions_;
  std::vector<std::vector<Use>> uses_;  // by position, of all results
  // The kernels that compute an op, by position. Later roots come first.
  std::vector<absl::InlinedVector<int, 1>> groups_of_;
  std::deque<FusionGroup> groups_;
};

}  // namespace

std::vector<PlannedFusion> PlanFusions(const Region& region,
                                       FusionRoles& roles) {
  return Planner(region, roles).Run();
}

}  // namespace lockstep::internal
