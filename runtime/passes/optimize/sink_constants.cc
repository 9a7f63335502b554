#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/passes/optimize/passes.h"

namespace lockstep::internal {
namespace {

// Puts copies of the scalar constants that the region uses, from outside, to
// its beginning.
class ConstantSinker {
 public:
  explicit ConstantSinker(Region& region) : region_(region) {}

  void Run() {
    Visit(region_);
    if (copies_.empty()) return;
    std::vector<std::unique_ptr<Op>> ops = std::move(region_.mutable_ops());
    region_.mutable_ops().clear();
    for (auto& copy : copies_) region_.Append(std::move(copy));
    for (auto& op : ops) region_.Append(std::move(op));
  }

 private:
  void Visit(Region& region) {
    inside_.insert(&region);
    for (const auto& op : region.ops()) {
      for (int i = 0; i < op->operand_count(); ++i) {
        if (IsOutside(*op->operand(i))) {
          op->set_operand(i, CopyOf(*op->operand(i)->defining_op()));
        }
      }
      for (const auto& nested : op->regions()) Visit(*nested);
    }
  }

  bool IsOutside(const Value& value) const {
    const Op* op = value.defining_op();
    return op != nullptr && op->name() == "stablehlo.constant" &&
           value.shape().rank() == 0 && !inside_.contains(op->parent()) &&
           !is_copy_.contains(&value);
  }

  Value* CopyOf(const Op& constant) {
    Value* const known = map_.Find(constant.result());
    if (known != constant.result()) return known;
    copies_.push_back(CloneOp(constant, map_));
    is_copy_.insert(copies_.back()->result());
    return copies_.back()->result();
  }

  Region& region_;
  absl::flat_hash_set<const Region*> inside_;
  absl::flat_hash_set<const Value*> is_copy_;
  ValueMap map_;
  std::vector<std::unique_ptr<Op>> copies_;
};

void SinkInto(const Region& region) {
  for (const auto& op : region.ops()) {
    const bool is_control_flow =
        op->def() != nullptr && op->def()->kind() == OpKind::kControlFlow;
    for (const auto& nested : op->regions()) {
      if (is_control_flow) {
        SinkInto(*nested);
      } else {
        ConstantSinker(*nested).Run();
      }
    }
  }
}

}  // namespace

Pass SinkConstants() {
  return {"sink_constants", [](Module& module) {
            for (const auto& function : module.functions()) {
              SinkInto(function->body());
            }
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
