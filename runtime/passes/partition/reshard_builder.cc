#include "runtime/passes/partition/reshard_builder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_builder.h"
#include "runtime/ir/shardings.h"
#include "runtime/ops/sdy/all_reduce.h"
#include "runtime/passes/partition/made_again.h"
#include "runtime/passes/partition/value_sharding.h"
#include "runtime/sharding/axis_list.h"

namespace lockstep::internal {
namespace {

// Values that are made again, within one another: more are rarely worth it, and
// a program may have any number.
constexpr int kMostRemade = 32;

}  // namespace

absl::string_view ReductionOp(UnreducedKind kind) {
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

ReshardBuilder::Scope::Scope(ReshardBuilder& builder, Region& region)
    : builder_(builder),
      outer_(std::exchange(builder.region_, &region)),
      known_(builder.resharded_.size()) {}

ReshardBuilder::Scope::~Scope() {
  std::vector<const Value*>& resharded = builder_.resharded_;
  for (; resharded.size() > known_; resharded.pop_back()) {
    builder_.reshards_[resharded.back()].pop_back();
  }
  builder_.region_ = outer_;
}

absl::StatusOr<Value*> ReshardBuilder::Build(absl::string_view name,
                                             std::vector<Value*> operands,
                                             AttributeMap attributes,
                                             const TensorSharding& sharding,
                                             std::optional<Type> type) {
  OpBuilder builder(region_);
  builder.set_location(location_);
  OpState state;
  state.name = std::string(name);
  state.operands = std::move(operands);
  state.attributes = std::move(attributes);
  if (type.has_value()) state.result_types = {*std::move(type)};
  ASSIGN_OR_RETURN(Op * op, builder.Build(std::move(state)));
  SetResultShardings(*op, {sharding});
  return op->result();
}

absl::StatusOr<Value*> ReshardBuilder::Reshard(Value* value,
                                               const TensorSharding& sharding) {
  const TensorSharding from = ShardingOfValue(value, mesh_.name);
  if (!value->type().is_tensor() || IsSameSplit(from, sharding)) return value;
  auto& known = reshards_[value];
  for (const auto& [other, resharded] : known) {
    if (IsSameSplit(other, sharding)) return resharded;
  }
  Value* const whole = SourceOfPart(value, sharding);
  const bool is_made_again = whole == value && remade_ < kMostRemade &&
                             IsBetterMadeAgain(value, from, sharding);
  ASSIGN_OR_RETURN(Value * resharded, whole != value ? Reshard(whole, sharding)
                                      : is_made_again
                                          ? MakeAgain(value, sharding)
                                          : ReshardAnew(value, from, sharding));
  reshards_[value].emplace_back(sharding, resharded);
  resharded_.push_back(value);
  return resharded;
}

Value* ReshardBuilder::SourceOfPart(Value* value,
                                    const TensorSharding& to) const {
  if (!to.unreduced.empty()) return value;
  while (true) {
    const Op* op = value->defining_op();
    if (op == nullptr || op->name() != "sdy.reshard") return value;
    const TensorSharding at = ShardingOfValue(op->operand(0), mesh_.name);
    if (!at.unreduced.empty() || !OnlyAddsAxes(at, to)) return value;
    value = op->operand(0);
  }
}

absl::StatusOr<Value*> ReshardBuilder::MakeAgain(Value* value,
                                                 const TensorSharding& to) {
  ++remade_;
  const absl::Cleanup done = [this] { --remade_; };
  const Op& op = *value->defining_op();
  std::vector<Value*> operands;
  for (int i = 0; i < op.operand_count(); ++i) {
    ASSIGN_OR_RETURN(operands.emplace_back(),
                     Reshard(op.operand(i), OperandToMakeAgain(op, i, to)));
  }
  if (op.name() == "sdy.reshard") return operands[0];
  AttributeMap attributes = op.attributes();
  return Build(op.name(), std::move(operands), std::move(attributes), to,
               value->type());
}

// Sums what is no longer partial, makes partial sums of what is split along
// axes that become unreduced, then changes the dims, then makes other partial
// results.
absl::StatusOr<Value*> ReshardBuilder::ReshardAnew(Value* value,
                                                   TensorSharding at,
                                                   const TensorSharding& to) {
  const AbstractMesh& mesh = mesh_.mesh.abstract();
  const std::vector<AxisRef> summed =
      AxesWithout(at.unreduced, to.unreduced, mesh);
  if (!summed.empty()) {
    const absl::string_view combiner = ReductionOp(at.reduction);
    at.unreduced = AxesWithout(at.unreduced, summed, mesh);
    ASSIGN_OR_RETURN(value, AllReduce(value, summed, at, combiner));
  }
  ASSIGN_OR_RETURN(value, MakePartialSums(value, at, to));
  const std::vector<AxisRef> unsummed =
      AxesWithout(to.unreduced, at.unreduced, mesh);
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
  return Reduction("sdy.replicated_to_unreduced", kUnreducedAxesAttribute,
                   value, unsummed, to, ReductionOp(to.reduction));
}

absl::StatusOr<Value*> ReshardBuilder::MakePartialSums(
    Value* value, TensorSharding& at, const TensorSharding& to) {
  if (to.unreduced.empty() || to.reduction != UnreducedKind::kSum ||
      !DividesDims(at, value->shape().dims(), mesh_.mesh.abstract())) {
    return value;
  }
  Attribute::Array lists;
  TensorSharding partial = at;
  std::vector<AxisRef> unreduced = at.unreduced;
  for (DimSharding& dim : partial.dims) {
    std::vector<AxisRef> moved;
    while (!dim.axes.empty() &&
           std::find(to.unreduced.begin(), to.unreduced.end(),
                     dim.axes.back()) != to.unreduced.end()) {
      moved.insert(moved.begin(), dim.axes.back());
      dim.axes.pop_back();
    }
    unreduced.insert(unreduced.end(), moved.begin(), moved.end());
    lists.elements.push_back(Attribute::AxisRefs{std::move(moved)});
  }
  if (unreduced.size() == at.unreduced.size()) return value;
  partial.unreduced =
      SortedAndMerged(std::move(unreduced), mesh_.mesh.abstract());
  partial.reduction = to.reduction;
  at = partial;
  AttributeMap attributes;
  attributes.Set("axes", std::move(lists));
  attributes.Set("out_sharding", Attribute::Sharding{partial});
  return Build("sdy.sharded_to_unreduced", {value}, std::move(attributes),
               partial);
}

absl::StatusOr<Value*> ReshardBuilder::AllReduce(
    Value* value, const std::vector<AxisRef>& axes,
    const TensorSharding& sharding, absl::string_view combiner) {
  return Reduction("sdy.all_reduce", kReducedAxesAttribute, value, axes,
                   sharding, combiner);
}

absl::StatusOr<Value*> ReshardBuilder::Reduction(
    absl::string_view name, absl::string_view axes_attribute, Value* value,
    const std::vector<AxisRef>& axes, const TensorSharding& sharding,
    absl::string_view combiner) {
  AttributeMap attributes;
  attributes.Set(axes_attribute, Attribute::AxisRefs{axes});
  attributes.Set("out_sharding", Attribute::Sharding{sharding});
  SetAllReduceCombiner(attributes, combiner);
  return Build(name, {value}, std::move(attributes), sharding);
}

}  // namespace lockstep::internal
