#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/passes/op_key.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/side_effects.h"

namespace lockstep {
namespace {

// Larger ones gain nothing from being one, and would wait for their operands.
constexpr double kMaxBytes = 32 << 20;
constexpr int kMaxOperands = 256;

// Sums of sizes may exceed 64 bits.
double OperandBytes(const Op& op) {
  double bytes = 0;
  for (const Value* operand : op.operands()) {
    bytes += static_cast<double>(operand->shape().byte_size());
  }
  return bytes;
}

// Whether both are the same all_reduce of other operands.
bool AreAlike(const Op& a, const Op& b) {
  return a.name() == b.name() && a.attributes() == b.attributes() &&
         a.operand(0)->shape().element_type() ==
             b.operand(0)->shape().element_type() &&
         RegionsComputeSame(a, b);
}

// all_reduces that may become one are held back until something comes that must
// stay after them; what needs their results waits with them, everything else
// goes ahead.
class Combiner {
 public:
  // All outlive the combiner. `map` is what stands for results of `replaced`.
  Combiner(const SideEffects& effects, ValueMap& map,
           std::vector<std::unique_ptr<Op>>& replaced)
      : effects_(effects), map_(map), replaced_(replaced) {}

  void Run(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    for (std::unique_ptr<Op>& op : ops) {
      for (const auto& nested : op->regions()) {
        Combiner(effects_, map_, replaced_).Run(*nested);
      }
      RemapOperands(*op);
      Place(std::move(op), region);
    }
    Flush(region);
  }

 private:
  void Place(std::unique_ptr<Op> op, Region& region) {
    if (op->name() == "stablehlo.all_reduce" && op->operand_count() > 0) {
      if (!held_.empty() && !Fits(*op)) {
        Flush(region);
        Remap(*op);
      }
      Hold(std::move(op));
    } else if (effects_.Has(*op) || op->def()->kind() == OpKind::kIdentity) {
      Flush(region);
      Remap(*op);
      region.Append(std::move(op));
    } else if (NeedsHeld(*op)) {
      AddResults(*op);
      waiting_.push_back(std::move(op));
    } else {
      region.Append(std::move(op));
    }
  }

  bool Fits(const Op& op) const {
    return AreAlike(*held_[0], op) && !NeedsHeld(op) &&
           bytes_ + OperandBytes(op) <= kMaxBytes &&
           operands_ + op.operand_count() <= kMaxOperands;
  }

  void Hold(std::unique_ptr<Op> op) {
    bytes_ += OperandBytes(*op);
    operands_ += op->operand_count();
    AddResults(*op);
    held_.push_back(std::move(op));
  }

  void AddResults(const Op& op) {
    for (const auto& result : op.results()) {
      held_values_.insert(result.get());
    }
  }
  bool NeedsHeld(const Op& op) const {
    if (held_values_.empty()) return false;
    for (const Value* operand : op.operands()) {
      if (held_values_.contains(operand)) return true;
    }
    for (const auto& region : op.regions()) {
      for (const auto& nested : region->ops()) {
        if (NeedsHeld(*nested)) return true;
      }
    }
    return false;
  }

  void Flush(Region& region) {
    if (held_.size() == 1) region.Append(std::move(held_[0]));
    if (held_.size() > 1) Combine(region);
    for (std::unique_ptr<Op>& op : waiting_) {
      Remap(*op);
      region.Append(std::move(op));
    }
    held_.clear();
    waiting_.clear();
    held_values_.clear();
    bytes_ = 0;
    operands_ = 0;
  }

  void Combine(Region& region) {
    OpState state = StateLike(*held_[0]);
    ValueMap body;
    state.regions.push_back(CloneRegion(held_[0]->region(), body));
    for (const auto& op : held_) {
      state.operands.insert(state.operands.end(), op->operands().begin(),
                            op->operands().end());
      for (const auto& result : op->results()) {
        state.result_types.push_back(result->type());
      }
    }
    Op* combined = region.Append(std::make_unique<Op>(std::move(state)));
    int i = 0;
    for (std::unique_ptr<Op>& op : held_) {
      for (const auto& result : op->results()) {
        map_.Set(result.get(), combined->result(i++));
      }
      replaced_.push_back(std::move(op));
    }
  }

  void RemapOperands(Op& op) {
    for (int i = 0; i < op.operand_count(); ++i) {
      op.set_operand(i, map_.Find(op.operand(i)));
    }
  }
  void Remap(Op& op) {
    RemapOperands(op);
    for (const auto& region : op.regions()) {
      for (const auto& nested : region->ops()) Remap(*nested);
    }
  }

  const SideEffects& effects_;
  ValueMap& map_;
  std::vector<std::unique_ptr<Op>>& replaced_;
  std::vector<std::unique_ptr<Op>> held_;
  std::vector<std::unique_ptr<Op>> waiting_;
  absl::flat_hash_set<const Value*> held_values_;
  double bytes_ = 0;
  int operands_ = 0;
};

}  // namespace

Pass CombineCollectives() {
  return {"combine_collectives", [](Module& module) {
            const SideEffects effects(module);
            ValueMap map;
            std::vector<std::unique_ptr<Op>> replaced;
            for (const auto& function : module.functions()) {
              Combiner(effects, map, replaced).Run(function->body());
            }
            return absl::OkStatus();
          }};
}

}  // namespace lockstep
