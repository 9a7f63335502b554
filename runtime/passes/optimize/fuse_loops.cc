#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/passes/optimize/fusible_op.h"
#include "runtime/passes/optimize/fusion_builder.h"
#include "runtime/passes/optimize/fusion_plan.h"
#include "runtime/passes/optimize/passes.h"

namespace lockstep::internal {
namespace {

// A single op needs no fusion, unless it reads what the kernel can make itself.
bool IsWorthwhile(const PlannedFusion& fusion, FusionRoles& roles) {
  if (fusion.members.size() > 1) return true;
  const Op& op = *fusion.members[0];
  // Init values are read once.
  const int count = roles.Of(op) == FusionRole::kReduce ? op.result_count()
                                                        : op.operand_count();
  for (int i = 0; i < count; ++i) {
    if (roles.IsLeaf(op.operand(i))) return true;
  }
  return false;
}

class LoopFuser {
 public:
  explicit LoopFuser(std::function<bool(const Op&)> can_fuse)
      : roles_(std::move(can_fuse)) {}

  void Run(Region& region) {
    absl::flat_hash_map<const Op*, PlannedFusion> fusions;
    absl::flat_hash_set<const Op*> members;
    std::vector<const Op*> staying;
    for (PlannedFusion& fusion : PlanFusions(region, roles_)) {
      const Op* root = fusion.members.back();
      if (!IsWorthwhile(fusion, roles_)) {
        staying.push_back(root);
        continue;
      }
      members.insert(fusion.members.begin(), fusion.members.end());
      fusions.emplace(root, std::move(fusion));
    }
    for (const Op* op : staying) members.erase(op);

    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    for (std::unique_ptr<Op>& op : ops) {
      const auto fusion = fusions.find(op.get());
      if (fusion != fusions.end()) Replace(fusion->second, region);
      if (members.contains(op.get())) {
        fused_.push_back(std::move(op));
      } else {
        Keep(std::move(op), region);
      }
    }
  }

 private:
  void Replace(const PlannedFusion& fusion, Region& region) {
    Op* op = region.Append(FusionBuilder(map_, roles_).Build(fusion));
    int i = 0;
    for (const Op* output : fusion.outputs) {
      for (const auto& result : output->results()) {
        map_.Set(result.get(), op->result(i++));
      }
    }
  }

  void Keep(std::unique_ptr<Op> op, Region& region) {
    const bool has_kernels =
        op->def() != nullptr && op->def()->kind() == OpKind::kControlFlow;
    for (const auto& nested : op->regions()) {
      if (has_kernels) {
        Run(*nested);
      } else {
        Remap(*nested);
      }
    }
    for (int i = 0; i < op->operand_count(); ++i) {
      op->set_operand(i, map_.Find(op->operand(i)));
    }
    region.Append(std::move(op));
  }

  void Remap(Region& region) {
    for (const auto& op : region.ops()) {
      for (int i = 0; i < op->operand_count(); ++i) {
        op->set_operand(i, map_.Find(op->operand(i)));
      }
      for (const auto& nested : op->regions()) Remap(*nested);
    }
  }

  FusionRoles roles_;
  ValueMap map_;
  // Kept until the end: the addresses of their results are keys of map_.
  std::vector<std::unique_ptr<Op>> fused_;
};

}  // namespace

Pass FuseLoops(std::function<bool(const Op&)> can_fuse) {
  return {"fuse_loops", [can_fuse = std::move(can_fuse)](Module& module) {
            for (const auto& function : module.functions()) {
              LoopFuser(can_fuse).Run(function->body());
            }
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
