#include "runtime/ops/checks/collective_checks.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/checks/enclosing_module.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/collectives/channel_handle.h"

namespace lockstep::internal {
namespace {

bool NeedsEqualGroups(CollectiveOpKind kind) {
  return kind == CollectiveOpKind::kAllGather ||
         kind == CollectiveOpKind::kReduceScatter ||
         kind == CollectiveOpKind::kAllToAll ||
         kind == CollectiveOpKind::kRaggedAllToAll;
}

// collective_permute (C2-C4): sources are unique, targets are unique, all ids
// are in range.
absl::Status CheckPairs(const Op& op, const CollectiveSpec& spec,
                        const ProgramCounts& counts) {
  const int64_t id_count = spec.mode == GroupMode::kCrossPartition
                               ? counts.partitions
                               : counts.replicas;
  absl::flat_hash_set<int64_t> sources, targets;
  for (const auto& [source, target] : spec.pairs) {
    for (int64_t id : {source, target}) {
      if (id >= 0 && id < id_count) continue;
      return op.Error(absl::StrCat("source_target_pairs: expected ids of 0 to ",
                                   id_count - 1, ", found ", id));
    }
    if (!sources.insert(source).second) {
      return op.Error(absl::StrCat("source_target_pairs: source ", source,
                                   " occurs twice in ", PairsText(spec)));
    }
    if (!targets.insert(target).second) {
      return op.Error(absl::StrCat("source_target_pairs: target ", target,
                                   " occurs twice in ", PairsText(spec)));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckGroups(const Op& op, const CollectiveSpec& spec,
                         const ProgramCounts& counts) {
  const absl::Status valid = ValidateReplicaGroups(
      spec.groups, spec.mode, counts.replicas, counts.partitions,
      {.covers_all_ids = spec.kind != CollectiveOpKind::kCollectiveBroadcast &&
                         op.name() != "stablehlo.collective_reduce",
       .equal_sizes = NeedsEqualGroups(spec.kind)});
  if (valid.ok()) return valid;
  return op.Error(absl::StrCat("replica_groups: ", valid.message()));
}

}  // namespace

absl::StatusOr<ProgramCounts> ProgramCountsOf(const Op& op) {
  ProgramCounts counts;
  const Module* module = EnclosingModule(op);
  if (module == nullptr) return counts;
  ASSIGN_OR_RETURN(counts.replicas, module->ReplicaCount());
  ASSIGN_OR_RETURN(counts.partitions, module->PartitionCount());
  return counts;
}

absl::StatusOr<CollectiveSpec> CheckedCollectiveSpec(const Op& op) {
  RETURN_IF_ERROR(CheckMinOperandCount(op, 1));
  ASSIGN_OR_RETURN(CollectiveSpec spec, ParseCollectiveSpec(op));
  ASSIGN_OR_RETURN(const ProgramCounts counts, ProgramCountsOf(op));
  if (spec.kind == CollectiveOpKind::kCollectivePermute) {
    RETURN_IF_ERROR(CheckPairs(op, spec, counts));
  } else {
    RETURN_IF_ERROR(CheckGroups(op, spec, counts));
  }
  return spec;
}

absl::Status CheckTransfer(const Op& op, int64_t host_type) {
  ASSIGN_OR_RETURN(const bool is_with_host, IsHostTransfer(op));
  ASSIGN_OR_RETURN(const ChannelHandle handle, ChannelHandleOf(op));
  const int64_t expected =
      is_with_host ? host_type : ChannelHandle::kDeviceToDevice;
  if (handle.type != expected) {
    return op.Error(absl::StrCat("channel_handle: expected type ", expected,
                                 ", found ", handle.type));
  }
  if (is_with_host) return absl::OkStatus();
  return CheckedTransferSpec(op).status();
}

absl::StatusOr<CollectiveSpec> CheckedTransferSpec(const Op& op) {
  ASSIGN_OR_RETURN(CollectiveSpec spec, ParseCollectiveSpec(op));
  ASSIGN_OR_RETURN(const ProgramCounts counts, ProgramCountsOf(op));
  spec.mode = counts.partitions > 1 ? GroupMode::kCrossPartition
                                    : GroupMode::kCrossReplica;
  RETURN_IF_ERROR(CheckPairs(op, spec, counts));
  return spec;
}

absl::StatusOr<int64_t> GroupSize(const Op& op, const CollectiveSpec& spec) {
  ASSIGN_OR_RETURN(const ProgramCounts counts, ProgramCountsOf(op));
  return FlattenedGroupSize(spec.groups, spec.mode, counts.replicas,
                            counts.partitions);
}

absl::Status EvaluateCollective(EvaluationContext& context, const Op& op,
                                absl::Span<const LiteralView> operands,
                                absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const CollectiveSpec spec, ParseCollectiveSpec(op));
  return context.RunCollective(op, spec, operands, results);
}

}  // namespace lockstep::internal
