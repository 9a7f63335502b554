#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ir/op_builder.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/ops/sdy/all_reduce.h"
#include "runtime/ops/sdy/manual_computation.h"
#include "runtime/passes/partition/combiner.h"
#include "runtime/passes/partition/partitionable_rule.h"
#include "runtime/passes/partition/passes.h"
#include "runtime/passes/partition/value_sharding.h"
#include "runtime/sharding/axis_list.h"
#include "runtime/sharding/common_mesh.h"
#include "runtime/sharding/exported_sharding.h"
#include "runtime/sharding/op_reshards.h"

namespace lockstep::internal {
namespace {

using Shardings = std::vector<TensorSharding>;

int64_t ElementsOf(const Value* value) {
  return value->type().is_tensor() ? value->shape().element_count() : 1;
}

// Factors in a dim with others that their axes do not divide: shards of the dim
// would not be products of shards of its factors.
std::vector<int> UnevenFactors(const OpShardingRule& rule,
                               const OpReshards& chosen,
                               const AbstractMesh& mesh) {
  std::vector<int> uneven;
  const auto visit =
      [&](const std::vector<OpShardingRule::TensorFactors>& maps,
          const std::vector<std::optional<TensorSharding>>& shardings) {
        for (size_t i = 0; i < maps.size(); ++i) {
          const TensorFactorShardings projected =
              ProjectTensor(rule, maps[i], shardings[i], mesh);
          for (const OpShardingRule::DimFactors& dim : maps[i]) {
            if (dim.size() < 2) continue;
            for (const int factor : dim) {
              int64_t shards = 1;
              const auto& sharding = projected.factors[factor];
              if (!sharding.has_value()) {
                uneven.push_back(factor);
                continue;
              }
              for (const AxisRef& axis : sharding->axes)
                shards *= axis.Size(mesh);
              if (!sharding->overflow.empty() ||
                  rule.factors()[factor].size % shards != 0) {
                uneven.push_back(factor);
              }
            }
          }
        }
      };
  visit(rule.operands(), chosen.shardings.operands);
  visit(rule.results(), chosen.shardings.results);
  return uneven;
}

class ReshardInserter {
 public:
  explicit ReshardInserter(ModuleMesh mesh) : mesh_(std::move(mesh)) {}

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
    Region* const outer = std::exchange(region_, &region);
    // A value of an outer region may be resharded for this one alone.
    const size_t known = resharded_.size();
    for (std::unique_ptr<Op>& op : ops) {
      for (int i = 0; i < op->operand_count(); ++i) {
        op->set_operand(i, map_.Find(op->operand(i)));
      }
      RETURN_IF_ERROR(Place(std::move(op), returned));
    }
    for (; resharded_.size() > known; resharded_.pop_back()) {
      reshards_[resharded_.back()].pop_back();
    }
    region_ = outer;
    return absl::OkStatus();
  }

  absl::Status Place(std::unique_ptr<Op> op, const Shardings& returned) {
    location_ = op->location();
    const std::string& name = op->name();
    if (name == "sdy.sharding_constraint" || name == "sdy.reshard") {
      const auto* sharding =
          op->attribute("sharding")->As<Attribute::Sharding>();
      // Propagation may have added axes to an open constraint.
      const TensorSharding* propagated = ResultSharding(*op, 0);
      ASSIGN_OR_RETURN(
          Value * value,
          Reshard(op->operand(0), ClosedSharding(propagated == nullptr ? sharding->value
                                                               : *propagated)));
      Replace(std::move(op), value);
      return absl::OkStatus();
    }
    if (name == "sdy.propagation_barrier") {
      ASSIGN_OR_RETURN(
          Value * value,
          Reshard(op->operand(0), ShardingOfValue(op->result(), mesh_.name)));
      Replace(std::move(op), value);
      return absl::OkStatus();
    }
    if (name == "sdy.sharding_group") {
      removed_.push_back(std::move(op));
      return absl::OkStatus();
    }
    if (op->def()->is_terminator()) {
      RETURN_IF_ERROR(ReshardOperands(*op, returned));
      region_->Append(std::move(op));
      return absl::OkStatus();
    }
    if (op->region_count() > 0 && IsControlFlow(name)) {
      return PlaceControlFlow(std::move(op));
    }
    if (name == "stablehlo.optimization_barrier") {
      RETURN_IF_ERROR(ReshardOperands(*op, ResultShardings(*op)));
      SetResultShardings(*op, ResultShardings(*op));
      region_->Append(std::move(op));
      return absl::OkStatus();
    }
    // They have no operands, and are made at any sharding.
    if (name == "stablehlo.constant" || name == "stablehlo.iota") {
      SetResultShardings(*op, ResultShardings(*op));
      region_->Append(std::move(op));
      return absl::OkStatus();
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
      ASSIGN_OR_RETURN(const ManualShardings manual,
                       ManualShardingsOf(*op));
      Shardings in, returned;
      for (const TensorSharding& sharding : manual.in) {
        in.push_back(ClosedSharding(sharding));
      }
      for (const TensorSharding& sharding : manual.out) {
        returned.push_back(ClosedSharding(FreePart(sharding, manual.manual_axes)));
      }
      RETURN_IF_ERROR(ReshardOperands(*op, in));
      RETURN_IF_ERROR(Rebuild(op->region(), returned));
      Shardings out;
      for (const TensorSharding& sharding : manual.out) {
        out.push_back(ClosedSharding(sharding));
      }
      return Append(std::move(op), out, results, {});
    }
    Shardings bodies = results;
    if (name == "stablehlo.while") {
      RETURN_IF_ERROR(ReshardOperands(*op, results));
      RETURN_IF_ERROR(
          Rebuild(op->region(0),
                  {Whole(op->region(0).terminator()->operand(0)->type())}));
      RETURN_IF_ERROR(Rebuild(op->region(1), results));
      return Append(std::move(op), results, results, {});
    }
    // Those of an if have no edge, and no rule either.
    if (name == "stablehlo.if") {
      for (int i = 0; i < op->result_count(); ++i) {
        bodies[i] = Whole(op->result(i)->type());
      }
    }
    RETURN_IF_ERROR(ReshardOperands(*op, {Whole(op->operand(0)->type())}));
    for (const auto& region : op->regions()) {
      RETURN_IF_ERROR(Rebuild(*region, bodies));
    }
    return Append(std::move(op), bodies, results, {});
  }

  // An op with a rule, or one that runs on whole tensors.
  absl::Status PlaceOp(std::unique_ptr<Op> op) {
    OpShardings given;
    for (const Value* operand : op->operands()) {
      given.operands.push_back(ShardingOfValue(operand, mesh_.name));
    }
    const Shardings results = ResultShardings(*op);
    given.results.assign(results.begin(), results.end());
    ASSIGN_OR_RETURN(const OpReshards chosen, Choose(*op, given));
    Shardings operands;
    for (int i = 0; i < op->operand_count(); ++i) {
      operands.push_back(*chosen.shardings.operands[i]);
      if (chosen.operand_all_reduce[i].empty()) continue;
      TensorSharding reduced = *given.operands[i];
      reduced.unreduced =
          AxesWithout(reduced.unreduced, chosen.operand_all_reduce[i], mesh_.mesh.abstract());
      ASSIGN_OR_RETURN(Value * sum,
                       AllReduce(op->operand(i), chosen.operand_all_reduce[i],
                                 reduced, CombinerName(reduced.reduction)));
      op->set_operand(i, sum);
    }
    RETURN_IF_ERROR(ReshardOperands(*op, operands));
    Shardings computed;
    for (const auto& sharding : chosen.shardings.results) {
      computed.push_back(*sharding);
    }
    return Append(std::move(op), computed, results, chosen.all_reduce);
  }

  absl::StatusOr<OpReshards> Choose(const Op& op, const OpShardings& given) {
    const CommonMesh mesh{mesh_.name, mesh_.mesh};
    OpTraits traits;
    std::vector<int64_t> operand_ranks, result_ranks;
    for (const Value* operand : op.operands()) {
      traits.operand_elements.push_back(ElementsOf(operand));
      operand_ranks.push_back(RankOf(operand->type()));
    }
    for (const auto& result : op.results()) {
      traits.result_elements.push_back(ElementsOf(result.get()));
      result_ranks.push_back(RankOf(result->type()));
    }
    traits.is_reshape = op.name() == "stablehlo.reshape";
    ASSIGN_OR_RETURN(std::optional<OpShardingRule> rule, PartitionableRule(op));
    if (!rule.has_value()) {
      return UnshardedOp(mesh, given, operand_ranks, result_ranks);
    }
    while (true) {
      OpReshards chosen = ChooseOpShardings(*rule, mesh, given, traits);
      const std::vector<int> uneven =
          UnevenFactors(*rule, chosen, mesh_.mesh.abstract());
      if (uneven.empty()) return chosen;
      // Each time one factor fewer may be sharded.
      rule = WithReplicated(*rule, uneven);
    }
  }

  absl::Status ReshardOperands(Op& op, const Shardings& shardings) {
    for (int i = 0; i < op.operand_count(); ++i) {
      ASSIGN_OR_RETURN(Value * value, Reshard(op.operand(i), shardings[i]));
      op.set_operand(i, value);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Value*> Build(absl::string_view name,
                               std::vector<Value*> operands,
                               AttributeMap attributes,
                               const TensorSharding& sharding) {
    OpBuilder builder(region_);
    builder.set_location(location_);
    OpState state;
    state.name = std::string(name);
    state.operands = std::move(operands);
    state.attributes = std::move(attributes);
    ASSIGN_OR_RETURN(Op * op, builder.Build(std::move(state)));
    SetResultShardings(*op, {sharding});
    return op->result();
  }

  absl::StatusOr<Value*> Reshard(Value* value, const TensorSharding& sharding) {
    const TensorSharding from = ShardingOfValue(value, mesh_.name);
    if (!value->type().is_tensor() || IsSameSplit(from, sharding)) return value;
    auto& known = reshards_[value];
    for (const auto& [other, resharded] : known) {
      if (IsSameSplit(other, sharding)) return resharded;
    }
    ASSIGN_OR_RETURN(Value * resharded, ReshardAnew(value, from, sharding));
    reshards_[value].emplace_back(sharding, resharded);
    resharded_.push_back(value);
    return resharded;
  }

  // Sums what is no longer partial, then changes the dims, then makes partial
  // results.
  absl::StatusOr<Value*> ReshardAnew(Value* value, TensorSharding at,
                                     const TensorSharding& to) {
    const std::vector<AxisRef> summed = AxesWithout(at.unreduced, to.unreduced, mesh_.mesh.abstract());
    const std::vector<AxisRef> unsummed = AxesWithout(to.unreduced, at.unreduced, mesh_.mesh.abstract());
    if (!summed.empty()) {
      const absl::string_view combiner = CombinerName(at.reduction);
      at.unreduced = AxesWithout(at.unreduced, summed, mesh_.mesh.abstract());
      ASSIGN_OR_RETURN(value, AllReduce(value, summed, at, combiner));
    }
    TensorSharding moved = to;
    moved.unreduced = at.unreduced;
    moved.reduction = at.reduction;
    if (!IsSameSplit(at, moved)) {
      AttributeMap attributes;
      attributes.Set("sharding", Attribute::Sharding{moved});
      ASSIGN_OR_RETURN(
          value, Build("sdy.reshard", {value}, std::move(attributes), moved));
    }
    if (unsummed.empty()) return value;
    return Reduction("sdy.replicated_to_unreduced", value, unsummed, to,
                     CombinerName(to.reduction));
  }

  static absl::string_view CombinerName(UnreducedKind kind) {
    switch (kind) {
      case UnreducedKind::kSum:
        return "stablehlo.add";
      case UnreducedKind::kMax:
        return "stablehlo.maximum";
      case UnreducedKind::kMin:
        return "stablehlo.minimum";
    }
    return "stablehlo.add";
  }

  absl::StatusOr<Value*> AllReduce(Value* value,
                                   const std::vector<AxisRef>& axes,
                                   const TensorSharding& sharding,
                                   absl::string_view combiner) {
    return Reduction("sdy.all_reduce", value, axes, sharding, combiner);
  }

  absl::StatusOr<Value*> Reduction(absl::string_view name, Value* value,
                                   const std::vector<AxisRef>& axes,
                                   const TensorSharding& sharding,
                                   absl::string_view combiner) {
    AttributeMap attributes;
    attributes.Set("reduction_axes", Attribute::AxisRefs{axes});
    attributes.Set("out_sharding", Attribute::Sharding{sharding});
    SetAllReduceCombiner(attributes, combiner);
    return Build(name, {value}, std::move(attributes), sharding);
  }

  // The op, at the shardings at which it computes its results, and behind it
  // what makes those that others see.
  absl::Status Append(std::unique_ptr<Op> op, const Shardings& computed,
                      const Shardings& seen,
                      const std::vector<AxisRef>& all_reduce) {
    location_ = op->location();  // and not that of what is inside of it
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
    Op* placed = region_->Append(std::move(op));
    for (int i = 0; i < placed->result_count(); ++i) {
      Value* value = placed->result(i);
      if (combiner.has_value()) {
        ASSIGN_OR_RETURN(
            value, AllReduce(value, all_reduce, computed[i], combiner->op));
      }
      if (init != nullptr) {
        ASSIGN_OR_RETURN(value, WithInit(value, init, computed[i], *combiner));
      }
      ASSIGN_OR_RETURN(value, Reshard(value, seen[i]));
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
    ASSIGN_OR_RETURN(Value * identity,
                     Build("stablehlo.constant", {}, std::move(attributes),
                           Whole(init->type())));
    reduce.set_operand(1, identity);
    return init;
  }

  absl::StatusOr<Value*> WithInit(Value* value, Value* init,
                                  const TensorSharding& sharding,
                                  const Combiner& combiner) {
    OpBuilder builder(region_);
    builder.set_location(location_);
    OpState state;
    state.name = "stablehlo.broadcast_in_dim";
    state.operands = {init};
    state.attributes.Set("broadcast_dimensions", Attribute::I64Array({}));
    state.result_types = {value->type()};
    ASSIGN_OR_RETURN(Op * broadcast, builder.Build(std::move(state)));
    SetResultShardings(*broadcast, {sharding});
    return Build(combiner.op, {broadcast->result(), value}, {}, sharding);
  }

  void Replace(std::unique_ptr<Op> op, Value* value) {
    map_.Set(op->result(), value);
    removed_.push_back(std::move(op));
  }

  const ModuleMesh mesh_;
  Region* region_ = nullptr;
  Location location_;
  ValueMap map_;
  // Of a value: what it was resharded to in this region or around it.
  absl::flat_hash_map<const Value*,
                      std::vector<std::pair<TensorSharding, Value*>>>
      reshards_;
  // The values of its entries, in the order in which these were made.
  std::vector<const Value*> resharded_;
  // Kept until the end: the map knows values by their addresses.
  std::vector<std::unique_ptr<Op>> removed_;
};

}  // namespace

Pass InsertReshards() {
  return {"insert_reshards", [](Module& module) -> absl::Status {
            ASSIGN_OR_RETURN(ModuleMesh mesh, MeshOfModule(module));
            ASSIGN_OR_RETURN(Function * entry, module.EntryFunction());
            return ReshardInserter(std::move(mesh)).Run(*entry);
          }};
}

}  // namespace lockstep::internal
