#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/dot_epilogue.h"
#include "runtime/passes/optimize/fusible_op.h"
#include "runtime/passes/optimize/fusion_builder.h"
#include "runtime/passes/optimize/fusion_plan.h"
#include "runtime/passes/optimize/passes.h"

namespace lockstep::internal {
namespace {

class EpilogueFuser {
 public:
  explicit EpilogueFuser(const DotFusionSupport& support)
      : support_(support), roles_(support.can_fuse) {}

  void Run(Region& body) {
    CountUses(body);
    Fuse(body);
    Rebuild(body);
  }

 private:
  void CountUses(const Region& region) {
    for (const auto& op : region.ops()) {
      for (const Value* operand : op->operands()) {
        users_[operand].push_back(op.get());
      }
      for (const auto& nested : op->regions()) CountUses(*nested);
    }
  }

  const std::vector<Op*>& UsersOf(const Value* value) const {
    static const auto& none = *new std::vector<Op*>();
    const auto found = users_.find(value);
    return found == users_.end() ? none : found->second;
  }

  void Fuse(Region& region) {
    for (const auto& op : region.ops()) {
      if (op->name() == "stablehlo.dot_general") FuseAfter(*op);
      if (op->def() == nullptr || op->def()->kind() != OpKind::kControlFlow) {
        continue;
      }
      for (const auto& nested : op->regions()) Fuse(*nested);
    }
  }

  void FuseAfter(const Op& dot) {
    for (const DotEpilogue& epilogue : EpiloguesAfter(
             dot, [this](const Value* value) -> const std::vector<Op*>& {
               return UsersOf(value);
             })) {
      const Op& last = *epilogue.ops.back();
      if (IsReadByLoopsAlone(last)) continue;
      std::unique_ptr<Op> fusion =
          FusionBuilder(ValueMap(), roles_)
              .Build({FusionKind::kDot, epilogue.ops, {&last}});
      if (support_.can_fuse_dot && !support_.can_fuse_dot(*fusion)) continue;
      Replace(epilogue, std::move(fusion));
      return;
    }
  }

  // Then the loops compute the epilogue where they read the dot, and nothing
  // that is stored is stored less often.
  bool IsReadByLoopsAlone(const Op& last) {
    const std::vector<Op*>& users = UsersOf(last.result());
    return std::all_of(users.begin(), users.end(), [this](const Op* user) {
      const FusionRole role = roles_.Of(*user);
      return role == FusionRole::kElementwise || role == FusionRole::kReduce ||
             (role == FusionRole::kIndexMap &&
              user->name() != "stablehlo.reshape");
    });
  }

  void Replace(const DotEpilogue& epilogue, std::unique_ptr<Op> fusion) {
    const Value* const before = epilogue.ops.back()->result();
    Value* const after = fusion->result();
    std::vector<Op*> users = UsersOf(before);
    for (Op* user : users) {
      for (int i = 0; i < user->operand_count(); ++i) {
        if (user->operand(i) == before) user->set_operand(i, after);
      }
    }
    users_[after] = std::move(users);
    // Its bias may be the result of an epilogue that is still to be replaced.
    for (const Value* operand : fusion->operands()) {
      users_[operand].push_back(fusion.get());
    }
    fusions_[epilogue.ops.back()] = std::move(fusion);
    for (const Op* op : epilogue.ops) {
      // Others may read the same broadcast.
      if (op->name() != "stablehlo.broadcast_in_dim") replaced_.insert(op);
    }
  }

  // Puts each fusion in the place of its last op.
  void Rebuild(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    for (std::unique_ptr<Op>& op : ops) {
      const auto fusion = fusions_.find(op.get());
      if (fusion != fusions_.end()) region.Append(std::move(fusion->second));
      if (replaced_.contains(op.get())) continue;
      for (const auto& nested : op->regions()) Rebuild(*nested);
      region.Append(std::move(op));
    }
  }

  const DotFusionSupport& support_;
  FusionRoles roles_;
  absl::flat_hash_map<const Value*, std::vector<Op*>> users_;
  absl::flat_hash_map<const Op*, std::unique_ptr<Op>> fusions_;
  absl::flat_hash_set<const Op*> replaced_;
};

}  // namespace

Pass FuseDotEpilogues(DotFusionSupport support) {
  return {"fuse_dot_epilogues", [support = std::move(support)](Module& module) {
            for (const auto& function : module.functions()) {
              EpilogueFuser(support).Run(function->body());
            }
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
