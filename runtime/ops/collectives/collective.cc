#include "runtime/ops/collectives/collective.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/ops/collectives/channel_handle.h"
#include "runtime/ops/collectives/mesh_axes_groups.h"
#include "runtime/ops/custom_calls/call_config.h"
#include "runtime/ops/custom_calls/custom_call_target.h"
#include "runtime/ops/lockstep/ragged_all_to_all.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

struct KindName {
  absl::string_view op;
  CollectiveOpKind kind;
};
constexpr KindName kKinds[] = {
    {"stablehlo.all_reduce", CollectiveOpKind::kAllReduce},
    {"stablehlo.all_gather", CollectiveOpKind::kAllGather},
    {"stablehlo.reduce_scatter", CollectiveOpKind::kReduceScatter},
    {"stablehlo.all_to_all", CollectiveOpKind::kAllToAll},
    {"stablehlo.collective_permute", CollectiveOpKind::kCollectivePermute},
    {"stablehlo.collective_broadcast", CollectiveOpKind::kCollectiveBroadcast},
    {kRaggedAllToAllOp, CollectiveOpKind::kRaggedAllToAll},
    // Between devices, as one.
    {"stablehlo.send", CollectiveOpKind::kCollectivePermute},
    {"stablehlo.recv", CollectiveOpKind::kCollectivePermute},
    // Only its root keeps the result.
    {"stablehlo.collective_reduce", CollectiveOpKind::kAllReduce},
};

absl::StatusOr<CollectiveOpKind> KindOf(const Op& op) {
  for (const KindName& name : kKinds) {
    if (name.op == op.name()) return name.kind;
  }
  if (CustomCallTargetName(op) == kRaggedAllToAllTarget) {
    return CollectiveOpKind::kRaggedAllToAll;
  }
  return op.Error("expected a collective");
}

absl::StatusOr<GroupMode> ModeOf(const Op& op, CollectiveOpKind kind) {
  if (!CustomCallTargetName(op).empty()) {
    ASSIGN_OR_RETURN(const int64_t channel,
                     CallConfig(op).IntegerOr("channel_id", 0));
    return MovementGroupMode(channel);
  }
  ASSIGN_OR_RETURN(const ChannelHandle channel, ChannelHandleOf(op));
  if (op.name() == "stablehlo.collective_reduce") {
    return MovementGroupMode(channel.id);
  }
  switch (kind) {
    case CollectiveOpKind::kAllReduce:
    case CollectiveOpKind::kAllGather:
    case CollectiveOpKind::kReduceScatter: {
      ASSIGN_OR_RETURN(const bool is_global,
                       op.BoolAttributeOr("use_global_device_ids", false));
      absl::StatusOr<GroupMode> mode =
          ReductionGroupMode(channel.id, is_global);
      if (!mode.ok()) return op.Error(mode.status().message());
      return mode;
    }
    default:
      return MovementGroupMode(channel.id);
  }
}

// The rows of a 2-D tensor of integers.
absl::StatusOr<std::vector<std::vector<int64_t>>> RowsOf(
    const Op& op, absl::string_view name, const Attribute* attribute) {
  std::vector<std::vector<int64_t>> rows;
  const auto* elements =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Elements>();
  if (elements == nullptr || !IsInteger(elements->shape.element_type())) {
    return op.Error(absl::StrCat(name, ": expected a tensor of integers"));
  }
  if (elements->shape.element_count() == 0) return rows;
  if (elements->shape.rank() != 2) {
    return op.Error(absl::StrCat(name, ": expected a 2-D tensor, found ",
                                 elements->shape.ToString()));
  }
  const absl::StatusOr<std::vector<int64_t>> values = IntegersOf(*attribute);
  if (!values.ok()) {
    return op.Error(absl::StrCat(name, ": ", values.status().message()));
  }
  const int64_t width = elements->shape.dim(1);
  const int64_t* row = values->data();
  for (int64_t i = 0; i < elements->shape.dim(0); ++i, row += width) {
    rows.emplace_back(row, row + width);
  }
  return rows;
}

// Short rows are padded with -1.
absl::StatusOr<ReplicaGroups> GroupsOf(const Op& op) {
  const Attribute* attribute = CustomCallTargetName(op).empty()
                                   ? op.attribute("replica_groups")
                                   : CallConfig(op).Find("replica_groups");
  if (attribute == nullptr) return ReplicaGroups();
  if (attribute->As<Attribute::Struct>() != nullptr) {
    return MeshAxesGroups(op, *attribute);
  }
  ASSIGN_OR_RETURN(ReplicaGroups groups,
                   RowsOf(op, "replica_groups", attribute));
  for (auto& group : groups) std::erase(group, -1);
  return groups;
}

absl::Status ReadPairs(const Op& op, CollectiveSpec& spec) {
  ASSIGN_OR_RETURN(
      const auto rows,
      RowsOf(op, "source_target_pairs", op.attribute("source_target_pairs")));
  for (const auto& row : rows) {
    if (row.size() != 2) {
      return op.Error(absl::StrCat(
          "source_target_pairs: expected 2 ids in a row, found ", row.size()));
    }
    spec.pairs.emplace_back(row[0], row[1]);
  }
  return absl::OkStatus();
}

absl::Status ReadDims(const Op& op, CollectiveSpec& spec) {
  switch (spec.kind) {
    case CollectiveOpKind::kAllGather: {
      ASSIGN_OR_RETURN(spec.dim, op.IntegerAttribute("all_gather_dim"));
      break;
    }
    case CollectiveOpKind::kReduceScatter: {
      ASSIGN_OR_RETURN(spec.dim, op.IntegerAttribute("scatter_dimension"));
      break;
    }
    case CollectiveOpKind::kAllToAll: {
      ASSIGN_OR_RETURN(spec.dim, op.IntegerAttribute("split_dimension"));
      ASSIGN_OR_RETURN(spec.concat_dim,
                       op.IntegerAttribute("concat_dimension"));
      ASSIGN_OR_RETURN(spec.split_count, op.IntegerAttribute("split_count"));
      break;
    }
    default:
      break;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CollectiveSpec> ParseCollectiveSpec(const Op& op) {
  CollectiveSpec spec;
  ASSIGN_OR_RETURN(spec.kind, KindOf(op));
  ASSIGN_OR_RETURN(spec.mode, ModeOf(op, spec.kind));
  if (spec.kind == CollectiveOpKind::kCollectivePermute) {
    RETURN_IF_ERROR(ReadPairs(op, spec));
    return spec;
  }
  ASSIGN_OR_RETURN(spec.groups, GroupsOf(op));
  RETURN_IF_ERROR(ReadDims(op, spec));
  if (spec.kind == CollectiveOpKind::kAllReduce ||
      spec.kind == CollectiveOpKind::kReduceScatter) {
    if (op.region_count() != 1) {
      return op.Error(
          absl::StrCat("expected 1 region, found ", op.region_count()));
    }
    spec.reduction = &op.region();
  }
  return spec;
}

std::string PairsText(const CollectiveSpec& spec) {
  return absl::StrCat("[",
                      absl::StrJoin(spec.pairs, ", ",
                                    [](std::string* out, const auto& pair) {
                                      absl::StrAppend(out, "[", pair.first,
                                                      ", ", pair.second, "]");
                                    }),
                      "]");
}

}  // namespace lockstep::internal
