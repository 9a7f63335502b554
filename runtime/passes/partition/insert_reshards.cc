#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/shardings.h"
#include "runtime/ops/sdy/all_reduce.h"
#include "runtime/ops/sdy/manual_computation.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/passes/import/op_walk.h"
#include "runtime/passes/partition/choose_shardings.h"
#include "runtime/passes/partition/combiner.h"
#include "runtime/passes/partition/passes.h"
#include "runtime/passes/partition/reshard_builder.h"
#include "runtime/passes/partition/value_sharding.h"
#include "runtime/sharding/axis_list.h"
#include "runtime/sharding/exported_sharding.h"
#include "runtime/sharding/op_reshards.h"

namespace lockstep::internal {
namespace {

using Shardings = std::vector<TensorSharding>;

class ReshardInserter {
 public:
  explicit ReshardInserter(ModuleMesh mesh)
      : mesh_(std::move(mesh)), builder_(mesh_) {}

  absl::Status Run(Function& function) {
    Shardings results;
    for (size_t i = 0; i < function.result_types().size(); ++i) {
      const TensorSharding* declared =
          ShardingOf(function.result_attributes()[i]);
      results.push_back(declared == nullptr ? Whole(function.result_types()[i])
                                            : ClosedSharding(*declared));
    }
    return Rebuild(function.body(), results);
  }

 private:
  TensorSharding Whole(const Type& type) const {
    return UnshardedOn(mesh_.name, RankOf(type), /*is_closed=*/true);
  }

  // `returned`: the shardings of what the region returns.
  absl::Status Rebuild(Region& region, const Shardings& returned) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    const ReshardBuilder::Scope scope(builder_, region);
    for (std::unique_ptr<Op>& op : ops) {
      RemapOperands(*op, map_);
      RETURN_IF_ERROR(Place(std::move(op), returned));
    }
    return absl::OkStatus();
  }

  absl::Status Place(std::unique_ptr<Op> op, const Shardings& returned) {
    builder_.set_location(op->location());
    const std::string& name = op->name();
    if (name == "sdy.sharding_constraint" || name == "sdy.reshard") {
      const auto* sharding =
          op->attribute("sharding")->As<Attribute::Sharding>();
      // Propagation may have added axes to an open constraint.
      const TensorSharding* propagated = ResultSharding(*op, 0);
      ASSIGN_OR_RETURN(
          Value * value,
          builder_.Reshard(op->operand(0), ClosedSharding(propagated == nullptr
                                                              ? sharding->value
                                                              : *propagated)));
      Replace(std::move(op), value);
      return absl::OkStatus();
    }
    if (name == "sdy.propagation_barrier") {
      ASSIGN_OR_RETURN(
          Value * value,
          builder_.Reshard(op->operand(0),
                           ShardingOfValue(op->result(), mesh_.name)));
      Replace(std::move(op), value);
      return absl::OkStatus();
    }
    if (name == "sdy.sharding_group") {
      removed_.push_back(std::move(op));
      return absl::OkStatus();
    }
    if (op->def()->is_terminator()) {
      RETURN_IF_ERROR(ReshardOperands(*op, returned));
      builder_.region().Append(std::move(op));
      return absl::OkStatus();
    }
    if (op->region_count() > 0 && IsControlFlow(name)) {
      return PlaceControlFlow(std::move(op));
    }
    if (name == "stablehlo.optimization_barrier") {
      RETURN_IF_ERROR(ReshardOperands(*op, ResultShardings(*op)));
      SetResultShardings(*op, ResultShardings(*op));
      builder_.region().Append(std::move(op));
      return absl::OkStatus();
    }
    // They have no operands, and are made at any sharding, but whole: partial
    // sums have the value on one device alone.
    if (name == "stablehlo.constant" || name == "stablehlo.iota") {
      const Shardings seen = ResultShardings(*op);
      Shardings made = seen;
      for (TensorSharding& sharding : made) sharding.unreduced.clear();
      return Append(std::move(op), made, seen, {});
    }
    return PlaceOp(std::move(op));
  }

  static bool IsControlFlow(absl::string_view name) {
    return name == "stablehlo.while" || name == "stablehlo.case" ||
           name == "stablehlo.if" || name == "sdy.manual_computation";
  }

  Shardings ResultShardings(const Op& op) const {
    Shardings shardings;
    for (const auto& result : op.results()) {
      shardings.push_back(ShardingOfValue(result.get(), mesh_.name));
    }
    return shardings;
  }

  absl::Status PlaceControlFlow(std::unique_ptr<Op> op) {
    const std::string& name = op->name();
    Shardings results = ResultShardings(*op);
    if (name == "sdy.manual_computation") {
      ASSIGN_OR_RETURN(const ManualShardings manual, ManualShardingsOf(*op));
      Shardings in, returned;
      for (const TensorSharding& sharding : manual.in) {
        in.push_back(ClosedSharding(sharding));
      }
      for (const TensorSharding& sharding : manual.out) {
        returned.push_back(
            ClosedSharding(FreePart(sharding, manual.manual_axes)));
      }
      RETURN_IF_ERROR(ReshardOperands(*op, in));
      RETURN_IF_ERROR(Rebuild(op->region(), returned));
      Shardings out;
      for (const TensorSharding& sharding : manual.out) {
        out.push_back(ClosedSharding(sharding));
      }
      return Append(std::move(op), out, results, {});
    }
    if (name == "stablehlo.while") {
      RETURN_IF_ERROR(ReshardOperands(*op, results));
      RETURN_IF_ERROR(
          Rebuild(op->region(0),
                  {Whole(op->region(0).terminator()->operand(0)->type())}));
      RETURN_IF_ERROR(Rebuild(op->region(1), results));
      return Append(std::move(op), results, results, {});
    }
    RETURN_IF_ERROR(ReshardOperands(*op, {Whole(op->operand(0)->type())}));
    for (const auto& region : op->regions()) {
      RETURN_IF_ERROR(Rebuild(*region, results));
    }
    return Append(std::move(op), results, results, {});
  }

  // An op with a rule, or one that runs on whole tensors.
  absl::Status PlaceOp(std::unique_ptr<Op> op) {
    OpShardings given;
    for (const Value* operand : op->operands()) {
      given.operands.push_back(ShardingOfValue(operand, mesh_.name));
    }
    const Shardings results = ResultShardings(*op);
    given.results.assign(results.begin(), results.end());
    ASSIGN_OR_RETURN(const OpReshards chosen,
                     ChooseShardings(*op, given, {mesh_.name, mesh_.mesh}));
    Shardings operands;
    for (int i = 0; i < op->operand_count(); ++i) {
      operands.push_back(*chosen.shardings.operands[i]);
      if (chosen.operand_all_reduce[i].empty()) continue;
      TensorSharding reduced = *given.operands[i];
      reduced.unreduced =
          AxesWithout(reduced.unreduced, chosen.operand_all_reduce[i],
                      mesh_.mesh.abstract());
      ASSIGN_OR_RETURN(
          Value * sum,
          builder_.AllReduce(op->operand(i), chosen.operand_all_reduce[i],
                             reduced, ReductionOp(reduced.reduction)));
      op->set_operand(i, sum);
    }
    RETURN_IF_ERROR(ReshardOperands(*op, operands));
    RETURN_IF_ERROR(ReshardCaptured(*op));
    Shardings computed;
    for (const auto& sharding : chosen.shardings.results) {
      computed.push_back(*sharding);
    }
    return Append(std::move(op), computed, results, chosen.all_reduce);
  }

  absl::Status ReshardOperands(Op& op, const Shardings& shardings) {
    for (int i = 0; i < op.operand_count(); ++i) {
      ASSIGN_OR_RETURN(Value * value,
                       builder_.Reshard(op.operand(i), shardings[i]));
      op.set_operand(i, value);
    }
    return absl::OkStatus();
  }

  // What a body of scalars uses from outside, it has whole.
  absl::Status ReshardCaptured(Op& op) {
    for (const auto& region : op.regions()) {
      ValueMap whole;
      for (Value* value : FreeValues(*region)) {
        ASSIGN_OR_RETURN(Value * resharded,
                         builder_.Reshard(value, Whole(value->type())));
        whole.Set(value, resharded);
      }
      for (const auto& inner : region->ops()) RemapOperands(*inner, whole);
    }
    return absl::OkStatus();
  }

  // The op, at the shardings at which it computes its results, and behind it
  // what makes those that others see.
  absl::Status Append(std::unique_ptr<Op> op, const Shardings& computed,
                      const Shardings& seen,
                      const std::vector<AxisRef>& all_reduce) {
    builder_.set_location(
        op->location());  // and not that of what is inside of it
    std::optional<Combiner> combiner;
    Value* init = nullptr;
    if (!all_reduce.empty() && op->result_count() > 0) {
      const ElementType type = op->result()->shape().element_type();
      combiner =
          op->name() == "stablehlo.reduce" || op->name() == "stablehlo.scatter"
              ? CombinerOf(op->region(), type)
              : SumOf(type);
      if (op->name() == "stablehlo.reduce") {
        ASSIGN_OR_RETURN(init, TakeInit(*op, *combiner));
      }
    }
    SetResultShardings(*op, computed);
    Op* placed = builder_.region().Append(std::move(op));
    for (int i = 0; i < placed->result_count(); ++i) {
      Value* value = placed->result(i);
      if (combiner.has_value()) {
        ASSIGN_OR_RETURN(value, builder_.AllReduce(value, all_reduce,
                                                   computed[i], combiner->op));
      }
      if (init != nullptr) {
        ASSIGN_OR_RETURN(value, WithInit(value, init, computed[i], *combiner));
      }
      ASSIGN_OR_RETURN(value, builder_.Reshard(value, seen[i]));
      if (value != placed->result(i)) map_.Set(placed->result(i), value);
    }
    return absl::OkStatus();
  }

  // Partial results begin with the identity; the init value, which is returned
  // unless it is the identity, counts once.
  absl::StatusOr<Value*> TakeInit(Op& reduce, const Combiner& combiner) {
    Value* init = reduce.operand(1);
    const Attribute::Elements* splat = SplatOf(init);
    if (splat != nullptr &&
        Attribute(Attribute::Elements{splat->shape, splat->values, true}) ==
            Attribute(Attribute::FromLiteral(combiner.identity))) {
      return nullptr;
    }
    AttributeMap attributes;
    attributes.Set("value", Attribute::FromLiteral(combiner.identity));
    ASSIGN_OR_RETURN(Value * identity, builder_.Build("stablehlo.constant", {},
                                                      std::move(attributes),
                                                      Whole(init->type())));
    reduce.set_operand(1, identity);
    return init;
  }

  absl::StatusOr<Value*> WithInit(Value* value, Value* init,
                                  const TensorSharding& sharding,
                                  const Combiner& combiner) {
    AttributeMap attributes;
    attributes.Set("broadcast_dimensions", Attribute::I64Array({}));
    ASSIGN_OR_RETURN(
        Value * broadcast,
        builder_.Build("stablehlo.broadcast_in_dim", {init},
                       std::move(attributes), sharding, value->type()));
    return builder_.Build(combiner.op, {broadcast, value}, {}, sharding);
  }

  void Replace(std::unique_ptr<Op> op, Value* value) {
    map_.Set(op->result(), value);
    removed_.push_back(std::move(op));
  }

  const ModuleMesh mesh_;
  ReshardBuilder builder_;
  ValueMap map_;
  // Kept until the end: the map knows values by their addresses.
  std::vector<std::unique_ptr<Op>> removed_;
};

// Adds partial results before they are summed over devices, where two sums over
// the same devices are only added: one exchange then does for both. Several
// products with one operand have such gradients.
class SumMerger {
 public:
  explicit SumMerger(Function& function) {
    CountUses(function.body());
    Merge(function.body());
  }

 private:
  void CountUses(const Region& region) {
    for (const auto& op : region.ops()) {
      for (const Value* operand : op->operands()) ++uses_[operand];
      for (const auto& inner : op->regions()) CountUses(*inner);
    }
  }

  void Merge(Region& region) {
    std::vector<std::unique_ptr<Op>>& ops = region.mutable_ops();
    std::vector<std::unique_ptr<Op>> merged;
    merged.reserve(ops.size());
    // Where the sums of this region are in `merged`.
    absl::flat_hash_map<const Op*, size_t> places;
    for (std::unique_ptr<Op>& op : ops) {
      RemapOperands(*op, map_);
      for (const auto& inner : op->regions()) Merge(*inner);
      const auto first = SumOfOperand(*op, 0, places);
      const auto second = SumOfOperand(*op, 1, places);
      if (!first.has_value() || !second.has_value() || *first == *second ||
          !IsAlike(*merged[*first], *merged[*second])) {
        if (op->name() == "sdy.all_reduce") places[op.get()] = merged.size();
        merged.push_back(std::move(op));
        continue;
      }
      std::unique_ptr<Op> sum = std::move(merged[*first]);
      op->set_operand(0, sum->operand(0));
      op->set_operand(1, merged[*second]->operand(0));
      removed_.push_back(std::move(merged[*second]));
      Value* added = op->result();
      sum->set_operand(0, added);
      map_.Set(added, sum->result());
      uses_[sum->result()] = uses_[added];
      merged.push_back(std::move(op));
      places[sum.get()] = merged.size();
      merged.push_back(std::move(sum));
    }
    std::erase(merged, nullptr);
    ops = std::move(merged);
  }

  // The place of the sum that is an operand of this addition and of nothing
  // else.
  std::optional<size_t> SumOfOperand(
      const Op& op, int operand,
      const absl::flat_hash_map<const Op*, size_t>& places) const {
    if (op.name() != "stablehlo.add") return std::nullopt;
    const Op* sum = op.operand(operand)->defining_op();
    const auto place = places.find(sum);
    if (place == places.end() || uses_.at(sum->result()) != 1) {
      return std::nullopt;
    }
    const auto combiner = AllReduceCombiner(*sum);
    if (!combiner.ok() || *combiner != op.name()) return std::nullopt;
    return place->second;
  }

  static bool IsAlike(const Op& a, const Op& b) {
    const absl::string_view axes = kReducedAxesAttribute;
    return *a.attribute(axes) == *b.attribute(axes) &&
           *a.attribute("out_sharding") == *b.attribute("out_sharding");
  }

  absl::flat_hash_map<const Value*, int> uses_;
  // From additions to the sums that stand for them.
  ValueMap map_;
  std::vector<std::unique_ptr<Op>> removed_;
};

}  // namespace

Pass InsertReshards() {
  return {"insert_reshards", [](Module& module) -> absl::Status {
            ASSIGN_OR_RETURN(ModuleMesh mesh, MeshOfModule(module));
            ASSIGN_OR_RETURN(Function * entry, module.EntryFunction());
            RETURN_IF_ERROR(ReshardInserter(std::move(mesh)).Run(*entry));
            SumMerger{*entry};
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
