#include "runtime/passes/import/collectives_as_reshards.h"

#include <memory>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_builder.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {
namespace {

// Of a collective; null for other ops.
const Attribute* OutSharding(const Op& op) {
  return op.def() != nullptr && op.def()->kind() == OpKind::kSharding
             ? op.attribute("out_sharding")
             : nullptr;
}

class CollectiveReplacer {
 public:
  absl::Status Rebuild(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    for (std::unique_ptr<Op>& op : ops) {
      for (int i = 0; i < op->operand_count(); ++i) {
        op->set_operand(i, map_.Find(op->operand(i)));
      }
      if (OutSharding(*op) != nullptr) {
        RETURN_IF_ERROR(Replace(std::move(op), region));
        continue;
      }
      for (const auto& inner : op->regions()) RETURN_IF_ERROR(Rebuild(*inner));
      region.Append(std::move(op));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Replace(std::unique_ptr<Op> op, Region& region) {
    OpBuilder builder(&region);
    builder.set_location(op->location());
    OpState state;
    state.name = "sdy.reshard";
    state.operands = {op->operand(0)};
    state.attributes.Set("sharding", *OutSharding(*op));
    ASSIGN_OR_RETURN(Op * reshard, builder.Build(std::move(state)));
    map_.Set(op->result(), reshard->result());
    replaced_.push_back(std::move(op));
    return absl::OkStatus();
  }

  ValueMap map_;
  // Kept until the end: the map knows values by their addresses.
  std::vector<std::unique_ptr<Op>> replaced_;
};

}  // namespace

absl::Status MakeReshardsOfCollectives(Region& region) {
  return CollectiveReplacer().Rebuild(region);
}

}  // namespace lockstep::internal
