#include "runtime/ops/lockstep/ragged_all_to_all.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/replica_groups.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/ragged_checks.h"
#include "runtime/ops/op_expansion.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kLists[] = {"input_offsets", "send_sizes",
                                        "output_offsets", "recv_sizes"};
constexpr int kFirstList = 2;

absl::Status CheckLists(const Op& op, int64_t group_size) {
  const Shape& first = op.operand(kFirstList)->shape();
  for (int i = 0; i < 4; ++i) {
    const Shape& list = op.operand(kFirstList + i)->shape();
    if (!IsInteger(list.element_type()) || list.rank() != 1) {
      return op.Error(absl::StrCat(kLists[i],
                                   ": expected a 1-D integer tensor, found ",
                                   list.ToString()));
    }
    if (list != first) {
      return op.Error(absl::StrCat(kLists[i], ": expected ", first.ToString(),
                                   ", as input_offsets, found ",
                                   list.ToString()));
    }
  }
  return CheckSliceCount(op, kLists[0], first.dim(0), group_size);
}

absl::Status CheckCall(const Op& op, int64_t group_size) {
  RETURN_IF_ERROR(CheckRaggedRows(op));
  RETURN_IF_ERROR(CheckLists(op, group_size));
  if (op.result()->type() == op.operand(1)->type()) return absl::OkStatus();
  return op.Error(absl::StrCat("expected a result of the output's type ",
                               op.operand(1)->type().ToString(), ", found ",
                               op.result()->type().ToString()));
}

template <typename Id>
Attribute GroupTable(const std::vector<std::vector<Id>>& groups) {
  const int64_t width =
      groups.empty() ? 0 : static_cast<int64_t>(groups[0].size());
  Literal literal(
      Shape(ElementType::kS64, {static_cast<int64_t>(groups.size()), width}));
  int64_t* next = literal.mutable_data<int64_t>().data();
  for (const std::vector<Id>& group : groups) {
    next = std::copy(group.begin(), group.end(), next);
  }
  return Attribute::FromLiteral(std::move(literal));
}

void SetChannel(AttributeMap& attributes) {
  Attribute::Struct channel{"channel_handle", {}};
  channel.fields.Append("handle", Attribute::I64(1));
  channel.fields.Append("type", Attribute::I64(1));
  attributes.Set("channel_handle", std::move(channel));
}

// [4, K] of this member, as [1, 4, K].
Value* OwnLists(const Op& op, ExpansionBuilder& builder) {
  const int64_t count = op.operand(kFirstList)->shape().dim(0);
  std::vector<Value*> lists;
  for (int i = 0; i < 4; ++i) {
    Value* list = op.operand(kFirstList + i);
    if (list->shape().element_type() != ElementType::kS64) {
      list = builder.Create("stablehlo.convert", {list},
                            Shape(ElementType::kS64, {count}));
    }
    lists.push_back(builder.Create("stablehlo.reshape", {list},
                                   Shape(ElementType::kS64, {1, 1, count})));
  }
  AttributeMap attributes;
  attributes.Set("dimension", Attribute::I64(1));
  return builder.Create("stablehlo.concatenate", std::move(lists),
                        Shape(ElementType::kS64, {1, 4, count}),
                        std::move(attributes));
}

// Of all members, in the order of the group.
absl::StatusOr<Value*> GatheredLists(const Op& op, const CollectiveSpec& spec,
                                     int64_t group_size,
                                     ExpansionBuilder& builder) {
  AttributeMap attributes;
  attributes.Set("all_gather_dim", Attribute::I64(0));
  if (spec.mode == GroupMode::kCrossPartition) {
    // all_gather has no groups of partitions.
    ASSIGN_OR_RETURN(const ProgramCounts counts, ProgramCountsOf(op));
    attributes.Set("replica_groups", GroupTable(FlattenedGroups(
                                         spec.groups, spec.mode,
                                         counts.replicas, counts.partitions)));
    attributes.Set("use_global_device_ids", Attribute::Unit());
    SetChannel(attributes);
  } else {
    attributes.Set("replica_groups", GroupTable(spec.groups));
  }
  Value* own = OwnLists(op, builder);
  return builder.Create(
      "stablehlo.all_gather", {own},
      Shape(ElementType::kS64, {group_size, 4, own->shape().dim(2)}),
      std::move(attributes));
}

// @ragged_all_to_all(operand, output, input_offsets, send_sizes,
// output_offsets, recv_sizes), as JAX writes it. The configuration has
// replica_groups and, above 0 where the groups are of partitions, channel_id.
// Members exchange the lists, then rows.
absl::StatusOr<std::vector<Value*>> ExpandRaggedAllToAll(
    const Op& op, ExpansionBuilder& builder) {
  RETURN_IF_ERROR(CheckOperandCount(op, 6));
  RETURN_IF_ERROR(CheckResultCount(op, 1));
  ASSIGN_OR_RETURN(const CollectiveSpec spec, CheckedCollectiveSpec(op));
  ASSIGN_OR_RETURN(const int64_t group_size, GroupSize(op, spec));
  RETURN_IF_ERROR(CheckCall(op, group_size));
  ASSIGN_OR_RETURN(Value * table, GatheredLists(op, spec, group_size, builder));
  AttributeMap attributes;
  attributes.Set("replica_groups", GroupTable(spec.groups));
  if (spec.mode == GroupMode::kCrossPartition) SetChannel(attributes);
  return std::vector<Value*>{
      builder.Create(kRaggedAllToAllOp, {op.operand(0), op.operand(1), table},
                     op.result()->type(), std::move(attributes))};
}

REGISTER_EXPANDED_CALL(kRaggedAllToAllTarget, ExpandRaggedAllToAll);

}  // namespace
}  // namespace lockstep::internal
