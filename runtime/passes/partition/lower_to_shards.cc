#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/shardings.h"
#include "runtime/ops/collectives/channel_handle.h"
#include "runtime/ops/sdy/all_reduce.h"
#include "runtime/ops/sdy/collective_form.h"
#include "runtime/ops/sdy/manual_computation.h"
#include "runtime/passes/import/device_order.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/passes/partition/combiner.h"
#include "runtime/passes/partition/local_op.h"
#include "runtime/passes/partition/local_random.h"
#include "runtime/passes/partition/local_sources.h"
#include "runtime/passes/partition/passes.h"
#include "runtime/passes/partition/reshard_lowering.h"
#include "runtime/passes/partition/roll.h"
#include "runtime/passes/partition/scatter_reduced.h"
#include "runtime/passes/partition/shard_builder.h"
#include "runtime/passes/partition/value_sharding.h"
#include "runtime/sharding/exported_sharding.h"

namespace lockstep::internal {
namespace {

// The only op that uses a value, for values that one op uses, once; null for
// others that are used.
using OnlyUsers = absl::flat_hash_map<const Value*, const Op*>;

void AddUsers(const Region& region, OnlyUsers& users) {
  for (const auto& op : region.ops()) {
    for (const Value* operand : op->operands()) {
      const auto [found, is_first] = users.try_emplace(operand, op.get());
      if (!is_first) found->second = nullptr;
    }
    for (const auto& inner : op->regions()) AddUsers(*inner, users);
  }
}

int64_t LargestChannel(const Region& region) {
  int64_t largest = 0;
  for (const auto& op : region.ops()) {
    const absl::StatusOr<ChannelHandle> channel = ChannelHandleOf(*op);
    if (channel.ok()) largest = std::max(largest, channel->id);
    for (const auto& inner : op->regions()) {
      largest = std::max(largest, LargestChannel(*inner));
    }
  }
  return largest;
}

class ShardLowering {
 public:
  ShardLowering(const Module& module, ModuleMesh mesh, int64_t first_channel)
      : meshes_(module.meshes()),
        mesh_(std::move(mesh)),
        channels_(first_channel) {}

  absl::Status Run(Function& function) {
    AddUsers(function.body(), users_);
    const std::vector<std::unique_ptr<Op>> ops =
        std::exchange(function.body().mutable_ops(), {});
    ShardBuilder builder(&function.body(), mesh_.mesh, channels_);
    for (size_t i = 0; i < function.body().arguments().size(); ++i) {
      Value* argument = function.body().arguments()[i].get();
      shardings_[argument] = ShardingOfValue(argument, mesh_.name);
      types_.emplace(argument, argument->type());
      ASSIGN_OR_RETURN(Type local, builder.LocalType(argument->type(),
                                                     shardings_[argument]));
      argument->set_type(std::move(local));
      AttributeMap& attributes = function.argument_attributes()[i];
      builder.ops().set_location(function.location());
      RETURN_IF_ERROR(Set(argument, InOrder(argument, attributes, builder)));
      attributes.Remove(kShardingAttributeName);
    }
    RETURN_IF_ERROR(LowerBody(ops, function, builder));
    std::vector<Type> results;
    for (const Value* value : function.body().terminator()->operands()) {
      results.push_back(value->type());
    }
    function.set_result_types(std::move(results));
    for (AttributeMap& attributes : function.result_attributes()) {
      attributes.Remove(kShardingAttributeName);
    }
    return absl::OkStatus();
  }

 private:
  absl::Status LowerBody(const std::vector<std::unique_ptr<Op>>& ops,
                         Function& function, ShardBuilder& builder) {
    for (size_t i = 0; i + 1 < ops.size(); ++i) {
      RETURN_IF_ERROR(Lower(*ops[i], builder));
    }
    const Op& end = *ops.back();
    builder.ops().set_location(end.location());
    std::vector<Value*> values;
    for (int i = 0; i < end.operand_count(); ++i) {
      ASSIGN_OR_RETURN(
          values.emplace_back(),
          OutOfOrder(end.operand(i), function.result_attributes()[i], builder));
    }
    builder.ops().Terminate(end.name(), std::move(values));
    return absl::OkStatus();
  }

  // The shard of an argument on the mesh of the program.
  absl::StatusOr<Value*> InOrder(Value* argument, AttributeMap& attributes,
                                 ShardBuilder& builder) {
    const auto own = MeshInDeviceOrder(attributes, mesh_.mesh);
    SetDeviceOrder({}, attributes);
    if (!own.has_value()) return argument;
    return builder.Reordered(argument, ShardingOfGlobal(argument), *own,
                             mesh_.mesh);
  }

  // The shard of what is returned, where the result has it.
  absl::StatusOr<Value*> OutOfOrder(Value* value, AttributeMap& attributes,
                                    ShardBuilder& builder) {
    const auto own = MeshInDeviceOrder(attributes, mesh_.mesh);
    SetDeviceOrder({}, attributes);
    Value* const local = map_.Find(value);
    if (!own.has_value()) return local;
    return builder.Reordered(local, ShardingOfGlobal(value), mesh_.mesh, *own);
  }

  const TensorSharding& ShardingOfGlobal(const Value* value) {
    const auto [found, is_new] = shardings_.try_emplace(value);
    if (is_new) found->second = ShardingOfValue(value, mesh_.name);
    return found->second;
  }

  // As it was before arguments of the function became shards.
  const Type& GlobalType(const Value* value) const {
    const auto found = types_.find(value);
    return found == types_.end() ? value->type() : found->second;
  }

  absl::Status Lower(const Op& op, ShardBuilder& builder) {
    builder.ops().set_location(op.location());
    const std::string& name = op.name();
    if (name == "sdy.reshard") return LowerReshardOp(op, builder);
    if (name == "sdy.all_reduce") {
      Value* partial = map_.Find(op.operand(0));
      return Set(op.result(),
                 IsResharded(op) ? partial : Reduced(op, partial, builder));
    }
    if (name == "sdy.replicated_to_unreduced") {
      return Set(op.result(), KeepOnFirst(op, builder));
    }
    if (name == "sdy.sharded_to_unreduced") {
      return Set(op.result(), KeepInPlace(op, builder));
    }
    if (name == "sdy.manual_computation") return Inline(op, builder);
    if (name == "stablehlo.constant") {
      return Set(op.result(),
                 LowerConstant(op, ShardingOfGlobal(op.result()), builder));
    }
    if (name == "stablehlo.iota") {
      return Set(op.result(),
                 LowerIota(op, ShardingOfGlobal(op.result()), builder));
    }
    if (name == "stablehlo.rng_bit_generator" &&
        HasAxes(ShardingOfGlobal(op.result(1)))) {
      return LowerRandom(op, builder);
    }
    if (const std::optional<Roll> roll = RollAtOnce(op)) {
      return Set(op.result(),
                 RollShards(*roll, map_.Find(roll->operand),
                            ShardingOfGlobal(roll->operand), builder));
    }
    if (name == "stablehlo.slice") {
      const Op* user = OnlyUser(op);
      if (user != nullptr && RollAtOnce(*user)) return absl::OkStatus();
    }
    return LowerPlain(op, builder);
  }

  absl::Status LowerRandom(const Op& rng, ShardBuilder& builder) {
    ASSIGN_OR_RETURN(const std::vector<Value*> results,
                     LowerRandomBits(rng, map_.Find(rng.operand(0)),
                                     ShardingOfGlobal(rng.result(1)), builder));
    for (int i = 0; i < rng.result_count(); ++i) {
      map_.Set(rng.result(i), results[i]);
    }
    return absl::OkStatus();
  }

  // None: the op is no roll, or its slices are lowered.
  std::optional<Roll> RollAtOnce(const Op& op) {
    const std::optional<Roll> roll = RollOf(op);
    if (!roll.has_value() || OnlyUser(*op.operand(0)->defining_op()) != &op ||
        OnlyUser(*op.operand(1)->defining_op()) != &op ||
        GlobalType(roll->operand).shape() != op.result()->shape()) {
      return std::nullopt;
    }
    const TensorSharding& sharding = ShardingOfGlobal(roll->operand);
    if (sharding.dims[roll->dim].axes.empty() ||
        !IsSameSplit(sharding, ShardingOfGlobal(op.result()))) {
      return std::nullopt;
    }
    return roll;
  }

  absl::Status Set(const Value* value, absl::StatusOr<Value*> local) {
    if (!local.ok()) return local.status();
    map_.Set(value, *local);
    return absl::OkStatus();
  }

  // Whether the sum is put off to the reshard that is all that uses it. That is
  // beside it: one in a loop would sum each time.
  bool IsResharded(const Op& all_reduce) const {
    const Op* user = OnlyUser(all_reduce);
    return user != nullptr && user->name() == "sdy.reshard";
  }

  // All that uses the op, once and beside it; or null.
  const Op* OnlyUser(const Op& op) const {
    const auto found = users_.find(op.result());
    const Op* user = found == users_.end() ? nullptr : found->second;
    return user != nullptr && user->parent() == op.parent() ? user : nullptr;
  }

  static const std::vector<AxisRef>& ReducedAxes(const Op& all_reduce) {
    return all_reduce.attribute(kReducedAxesAttribute)
        ->As<Attribute::AxisRefs>()
        ->refs;
  }

  absl::StatusOr<Value*> Reduced(const Op& all_reduce, Value* x,
                                 ShardBuilder& builder) {
    ASSIGN_OR_RETURN(const std::string combiner, AllReduceCombiner(all_reduce));
    return builder.AllReduce(x, ReducedAxes(all_reduce), combiner);
  }

  // The first device along the axes keeps the value.
  absl::StatusOr<Value*> KeepOnFirst(const Op& op, ShardBuilder& builder) {
    Value* x = map_.Find(op.operand(0));
    ASSIGN_OR_RETURN(const std::string name, AllReduceCombiner(op));
    std::optional<Combiner> combiner =
        CombinerOf(name, x->shape().element_type());
    if (!combiner.has_value()) {
      return op.Unimplemented(absl::StrCat("partial results of ", name, " of ",
                                           x->shape().ToString()));
    }
    ASSIGN_OR_RETURN(Value * identity,
                     builder.Constant(std::move(combiner->identity)));
    const auto* axes =
        op.attribute(kUnreducedAxesAttribute)->As<Attribute::AxisRefs>();
    return builder.OnFirst(x, axes->refs, identity);
  }

  // Each device keeps its shard in a larger one of zeros.
  absl::StatusOr<Value*> KeepInPlace(const Op& op, ShardBuilder& builder) {
    Value* x = map_.Find(op.operand(0));
    ASSIGN_OR_RETURN(const std::vector<std::vector<AxisRef>> axes,
                     DimAxesAttribute(op, "axes"));
    ASSIGN_OR_RETURN(
        Value * zero,
        builder.Constant(SumOf(x->shape().element_type()).identity));
    return builder.Unsliced(x, axes, zero);
  }

  absl::Status LowerReshardOp(const Op& op, ShardBuilder& builder) {
    const Value* operand = op.operand(0);
    Value* x = map_.Find(op.operand(0));
    const TensorSharding& to = ShardingOfGlobal(op.result());
    const Op* from = operand->defining_op();
    if (from != nullptr && from->name() == "sdy.all_reduce" &&
        IsResharded(*from)) {
      return Set(op.result(), ReduceAndReshard(op, *from, x, to, builder));
    }
    return Set(op.result(),
               Reshard(op, x, ShardingOfGlobal(operand), to, builder));
  }

  absl::StatusOr<Value*> Reshard(const Op& op, Value* x,
                                 const TensorSharding& from,
                                 const TensorSharding& to,
                                 ShardBuilder& builder) {
    absl::StatusOr<Value*> resharded =
        LowerReshard(x, WithManualAxes(from), WithManualAxes(to), meshes_,
                     op.result()->shape().dims(), builder);
    if (resharded.ok()) return resharded;
    return ErrorAt(op.location(), resharded.status().code(),
                   resharded.status().message());
  }

  // Along manual axes devices have values of their own, of which the sharding
  // says nothing. As partial results these are not exchanged with each other.
  TensorSharding WithManualAxes(TensorSharding sharding) const {
    sharding.unreduced.insert(sharding.unreduced.end(), manual_axes_.begin(),
                              manual_axes_.end());
    return sharding;
  }

  absl::StatusOr<Value*> ReduceAndReshard(const Op& op, const Op& all_reduce,
                                          Value* x, const TensorSharding& to,
                                          ShardBuilder& builder) {
    ASSIGN_OR_RETURN(const std::string combiner, AllReduceCombiner(all_reduce));
    PartialTensor partial = {x, ShardingOfGlobal(all_reduce.result()),
                             ReducedAxes(all_reduce)};
    RETURN_IF_ERROR(ScatterReduced(partial, to, op.result()->shape().dims(),
                                   combiner, builder));
    if (!partial.axes.empty()) {
      ASSIGN_OR_RETURN(
          partial.local,
          builder.AllReduce(partial.local, partial.axes, combiner));
    }
    return Reshard(op, partial.local, partial.sharding, to, builder);
  }

  // The body of a manual computation works on what the devices have.
  absl::Status Inline(const Op& op, ShardBuilder& builder) {
    const Region& body = op.region();
    for (size_t i = 0; i < body.arguments().size(); ++i) {
      map_.Set(body.arguments()[i].get(), map_.Find(op.operands()[i]));
    }
    ASSIGN_OR_RETURN(const ManualShardings manual, ManualShardingsOf(op));
    const std::vector<AxisRef> around = manual_axes_;
    for (const std::string& axis : manual.manual_axes) {
      manual_axes_.emplace_back(axis);
    }
    const Op& end = *body.terminator();
    for (const auto& inner : body.ops()) {
      if (inner.get() != &end) RETURN_IF_ERROR(Lower(*inner, builder));
    }
    manual_axes_ = around;
    for (int i = 0; i < op.result_count(); ++i) {
      map_.Set(op.result(i), map_.Find(end.operand(i)));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::unique_ptr<Region>> LowerRegion(const Region& region,
                                                      ShardBuilder& around) {
    std::unique_ptr<Region> lowered = MakeRegionWithin(around.ops());
    for (const auto& argument : region.arguments()) {
      ASSIGN_OR_RETURN(
          Type local,
          around.LocalType(argument->type(), ShardingOfGlobal(argument.get())));
      map_.Set(argument.get(), lowered->AddArgument(std::move(local)));
    }
    ShardBuilder builder(lowered.get(), mesh_.mesh, channels_);
    for (const auto& op : region.ops()) RETURN_IF_ERROR(Lower(*op, builder));
    return lowered;
  }

  // The same op on shards.
  absl::Status LowerPlain(const Op& op, ShardBuilder& builder) {
    std::vector<ShardedValue> operands;
    for (Value* operand : op.operands()) {
      operands.push_back(
          {map_.Find(operand), GlobalType(operand), ShardingOfGlobal(operand)});
    }
    if (op.def()->is_terminator()) {
      std::vector<Value*> values;
      for (const ShardedValue& operand : operands) {
        values.push_back(operand.local);
      }
      builder.ops().Terminate(op.name(), std::move(values));
      return absl::OkStatus();
    }
    std::vector<Type> types;
    for (const auto& result : op.results()) {
      ASSIGN_OR_RETURN(
          Type local,
          builder.LocalType(result->type(), ShardingOfGlobal(result.get())));
      types.push_back(std::move(local));
    }
    const bool is_control_flow = op.name() == "stablehlo.while" ||
                                 op.name() == "stablehlo.case" ||
                                 op.name() == "stablehlo.if";
    std::vector<std::unique_ptr<Region>> regions;
    for (const auto& region : op.regions()) {
      std::unique_ptr<Region> lowered;
      if (is_control_flow) {
        ASSIGN_OR_RETURN(lowered, LowerRegion(*region, builder));
      } else {
        lowered = CloneRegion(*region, map_);
      }
      regions.push_back(std::move(lowered));
    }
    const absl::StatusOr<std::vector<Value*>> local = BuildLocalOp(
        op, std::move(operands), std::move(types), std::move(regions), builder);
    if (!local.ok()) {
      return ErrorAt(
          op.location(), local.status().code(),
          absl::StrCat(op.name(), ": on shards: ", local.status().message()));
    }
    for (int i = 0; i < op.result_count(); ++i) {
      map_.Set(op.result(i), (*local)[i]);
    }
    return absl::OkStatus();
  }

  const MeshTable& meshes_;
  const ModuleMesh mesh_;
  ChannelIds channels_;
  // From values of the program over whole tensors to those over shards.
  ValueMap map_;
  // Their places are kept: references to them live longer than the next search.
  absl::node_hash_map<const Value*, TensorSharding> shardings_;
  absl::flat_hash_map<const Value*, Type> types_;
  OnlyUsers users_;
  // Of the manual computations around the op at hand.
  std::vector<AxisRef> manual_axes_;
};

}  // namespace

Pass LowerToShards() {
  return {"lower_to_shards", [](Module& module) -> absl::Status {
            ASSIGN_OR_RETURN(ModuleMesh mesh, MeshOfModule(module));
            ASSIGN_OR_RETURN(Function * entry, module.EntryFunction());
            const int64_t channel = LargestChannel(entry->body()) + 1;
            RETURN_IF_ERROR(
                ShardLowering(module, std::move(mesh), channel).Run(*entry));
            module.meshes() = MeshTable();
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
