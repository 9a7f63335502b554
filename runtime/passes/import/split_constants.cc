#include "runtime/passes/import/split_constants.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/passes/import/module_mesh.h"

namespace lockstep::internal {
namespace {

class ConstantSplitter {
 public:
  void Run(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    for (std::unique_ptr<Op>& op : ops) {
      const bool is_constant = IsConstant(*op);
      if (is_constant) constants_.insert(op->result());
      for (int i = 0; !is_constant && i < op->operand_count(); ++i) {
        op->set_operand(i, Own(op->operand(i), region));
      }
      for (const auto& inner : op->regions()) Run(*inner);
      region.Append(std::move(op));
    }
  }

 private:
  bool IsConstant(const Op& op) const {
    if (op.def() == nullptr || op.result_count() != 1 ||
        op.region_count() != 0) {
      return false;
    }
    if (op.name() == "stablehlo.constant" || op.name() == "stablehlo.iota") {
      return true;
    }
    const bool keeps_constants = op.name() == "stablehlo.broadcast_in_dim" ||
                                 op.name() == "stablehlo.reshape" ||
                                 op.name() == "stablehlo.slice" ||
                                 op.def()->kind() == OpKind::kElementwise;
    if (!keeps_constants) return false;
    for (const Value* operand : op.operands()) {
      if (!constants_.contains(operand)) return false;
    }
    // Elementwise ops of nothing make values of their own.
    return op.operand_count() > 0;
  }

  // The value, the first time that it is asked for; later a copy.
  Value* Own(Value* value, Region& region) {
    if (!constants_.contains(value) || RankOf(value->type()) == 0 ||
        taken_.insert(value).second) {
      return value;
    }
    ValueMap map;
    return Copy(value, region, map);
  }

  Value* Copy(Value* value, Region& region, ValueMap& map) {
    if (map.Contains(value)) return map.Find(value);
    const Op& op = *value->defining_op();
    for (Value* operand : op.operands()) {
      if (RankOf(operand->type()) > 0) Copy(operand, region, map);
    }
    return region.Append(CloneOp(op, map))->result();
  }

  absl::flat_hash_set<const Value*> constants_;
  absl::flat_hash_set<const Value*> taken_;
};

}  // namespace

void SplitConstants(Region& region) { ConstantSplitter().Run(region); }

}  // namespace lockstep::internal
