#include "runtime/passes/import/manual_computation_builder.h"

#include <utility>

#include "runtime/passes/import/module_mesh.h"
#include "runtime/passes/import/op_walk.h"

namespace lockstep::internal {

ManualComputationBuilder::ManualComputationBuilder(Region& region,
                                                   const ValueMap& outside,
                                                   ValueOrigins& origins)
    : outside_(outside),
      origins_(origins),
      builder_(&region),
      body_(MakeRegionWithin(builder_)) {}

void ManualComputationBuilder::AddInput(Value* whole, TensorSharding sharding,
                                        const Value* shard) {
  inputs_.push_back({whole, std::move(sharding), shard});
}

void ManualComputationBuilder::AddOp(std::unique_ptr<Op> op) {
  for (const auto& result : op->results()) computed_.insert(result.get());
  ops_.push_back(std::move(op));
}

void ManualComputationBuilder::AddOutput(Value* shard, TensorSharding sharding,
                                         Type type) {
  outputs_.push_back(shard);
  out_shardings_.push_back(std::move(sharding));
  types_.push_back(std::move(type));
}

std::vector<Value*> ManualComputationBuilder::ValuesUsed() const {
  std::vector<Value*> used;
  for (const auto& op : ops_) {
    for (Value* value : FreeValues(*op)) used.push_back(value);
  }
  used.insert(used.end(), outputs_.begin(), outputs_.end());
  return used;
}

void ManualComputationBuilder::AddOperand(Input input) {
  operands_.push_back(outside_.Find(input.whole));
  in_shardings_.push_back(std::move(input.sharding));
  inside_.Set(input.shard, body_->AddArgument(input.shard->type()));
}

void ManualComputationBuilder::BringIn() {
  const std::vector<Value*> used = ValuesUsed();
  const absl::flat_hash_set<const Value*> is_used(used.begin(), used.end());
  for (Input& input : inputs_) {
    if (is_used.contains(input.shard)) AddOperand(std::move(input));
  }
  std::vector<const Op*> constants;
  for (Value* value : used) {
    if (computed_.contains(value) || inside_.Contains(value)) continue;
    const Op* from = value->defining_op();
    if (from != nullptr &&
        origins_.Of(*from) == ValueOrigins::Origin::kConstants) {
      constants.push_back(from);
      continue;
    }
    const auto& mesh =
        (in_shardings_.empty() ? out_shardings_ : in_shardings_).front().mesh;
    AddOperand({value,
                UnshardedOn(mesh, RankOf(value->type()), /*is_closed=*/true),
                value});
  }
  copied_ = origins_.ConstantsFor(std::move(constants));
  for (const Op* constant : copied_) {
    const Op* copy = body_->Append(CloneOp(*constant, inside_));
    origins_.AddCopy(*constant, *copy);
  }
}

absl::StatusOr<Op*> ManualComputationBuilder::Build(
    const std::vector<std::string>& manual_axes, Location location) {
  BringIn();
  for (std::unique_ptr<Op>& op : ops_) {
    RemapOperands(*op, inside_);
    body_->Append(std::move(op));
  }
  for (Value*& output : outputs_) output = inside_.Find(output);
  OpBuilder body_builder(body_.get());
  body_builder.set_location(location);
  body_builder.Terminate("sdy.return", std::move(outputs_));

  Attribute::Array axes;
  for (const std::string& axis : manual_axes) {
    axes.elements.push_back(Attribute::String{axis});
  }
  OpState state;
  state.name = "sdy.manual_computation";
  state.location = location;
  state.operands = std::move(operands_);
  state.result_types = std::move(types_);
  state.attributes.Set("in_shardings",
                       Attribute::ShardingPerValue{std::move(in_shardings_)});
  state.attributes.Set("out_shardings",
                       Attribute::ShardingPerValue{std::move(out_shardings_)});
  state.attributes.Set("manual_axes", std::move(axes));
  state.regions.push_back(std::move(body_));
  builder_.set_location(std::move(location));
  return builder_.Build(std::move(state));
}

}  // namespace lockstep::internal
