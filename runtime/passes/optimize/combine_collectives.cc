#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/passes/op_key.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/side_effects.h"

namespace lockstep::internal {
namespace {

// An all_reduce that takes longer than copying its operand twice, to a common
// place and from there, gains nothing from being one with others.
constexpr int64_t kMaxOperandBytes = 256 << 10;
constexpr int64_t kMaxBytes = 4 << 20;
constexpr size_t kMaxOperands = 256;

bool IsSmallAllReduce(const Op& op) {
  return op.name() == "stablehlo.all_reduce" && op.operand_count() == 1 &&
         op.operand(0)->shape().byte_size() <= kMaxOperandBytes;
}

// Whether both are the same all_reduce of other operands.
bool AreAlike(const Op& a, const Op& b) {
  return a.name() == b.name() && a.attributes() == b.attributes() &&
         a.operand(0)->shape().element_type() ==
             b.operand(0)->shape().element_type() &&
         RegionsComputeSame(a, b);
}

// Small all_reduces that may become one are held back until something comes
// that must stay after them; what needs their results waits with them,
// everything else goes ahead, on every device alike.
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
    if (IsSmallAllReduce(*op)) {
      if (!held_.empty() && !Fits(*op)) {
        Flush(region);
        Remap(*op);
      }
      Hold(std::move(op));
    } else if (op->name() == "stablehlo.all_reduce") {
      if (NeedsHeld(*op)) {
        Flush(region);
        Remap(*op);
      }
      region.Append(std::move(op));
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
           bytes_ + op.operand(0)->shape().byte_size() <= kMaxBytes &&
           held_.size() < kMaxOperands;
  }

  void Hold(std::unique_ptr<Op> op) {
    bytes_ += op->operand(0)->shape().byte_size();
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
  }

  // One after the other, the elements of all operands are one vector; its sum
  // has the same bits, for each element is reduced by itself.
  void Combine(Region& region) {
    std::vector<Value*> vectors;
    int64_t length = 0;
    for (const auto& op : held_) {
      vectors.push_back(AsVector(op->operand(0), region));
      length += vectors.back()->shape().element_count();
    }
    AttributeMap attributes;
    attributes.Set("dimension", Attribute::I64(0));
    const Type all = VectorLike(held_[0]->operand(0)->shape(), length);
    Value* packed = Append("stablehlo.concatenate", vectors, all,
                           std::move(attributes), region);
    OpState state = StateLike(*held_[0]);
    ValueMap body;
    state.regions.push_back(CloneRegion(held_[0]->region(), body));
    state.operands = {packed};
    state.result_types = {all};
    Value* sums =
        region.Append(std::make_unique<Op>(std::move(state)))->result();
    int64_t start = 0;
    for (std::unique_ptr<Op>& op : held_) {
      const Shape& shape = op->result()->shape();
      map_.Set(op->result(), Slice(sums, start, shape, region));
      start += shape.element_count();
    }
    for (auto& op : held_) replaced_.push_back(std::move(op));
  }

  static Shape VectorLike(const Shape& shape, int64_t length) {
    return Shape(shape.element_type(), {length});
  }
  Value* AsVector(Value* tensor, Region& region) {
    const Shape& shape = tensor->shape();
    if (shape.rank() == 1) return tensor;
    return Append("stablehlo.reshape", {tensor},
                  VectorLike(shape, shape.element_count()), {}, region);
  }
  // Elements of a vector, from `start` on, as a tensor.
  Value* Slice(Value* vector, int64_t start, const Shape& shape,
               Region& region) {
    const int64_t length = shape.element_count();
    AttributeMap attributes;
    attributes.Set("start_indices", Attribute::I64Array({start}));
    attributes.Set("limit_indices", Attribute::I64Array({start + length}));
    attributes.Set("strides", Attribute::I64Array({1}));
    Value* part = Append("stablehlo.slice", {vector}, VectorLike(shape, length),
                         std::move(attributes), region);
    if (shape.rank() == 1) return part;
    return Append("stablehlo.reshape", {part}, shape, {}, region);
  }
  Value* Append(absl::string_view name, std::vector<Value*> operands,
                Type result, AttributeMap attributes, Region& region) {
    OpState state;
    state.name = std::string(name);
    state.def = OpRegistry::Get().Find(name);
    state.location = held_[0]->location();
    state.operands = std::move(operands);
    state.result_types.push_back(std::move(result));
    state.attributes = std::move(attributes);
    return region.Append(std::make_unique<Op>(std::move(state)))->result();
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
  int64_t bytes_ = 0;
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

}  // namespace lockstep::internal
