#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/collectives/collective_root.h"
#include "runtime/ops/sharding/pointwise_sharding.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferBroadcast(const Op& op) {
  RETURN_IF_ERROR(CheckedCollectiveSpec(op).status());
  ASSIGN_OR_RETURN(const absl::Span<Value* const> data, DataOperands(op));
  std::vector<Type> types = OperandTypes(op);  // (C3), (C5)
  types.resize(data.size());
  return types;
}

// The groups with the member at `root` in front.
ReplicaGroups WithRootInFront(const CollectiveSpec& spec,
                              const ProgramCounts& counts, int64_t root) {
  ReplicaGroups groups = spec.groups;
  if (groups.empty()) {
    groups.emplace_back(spec.mode == GroupMode::kCrossPartition
                            ? counts.partitions
                            : counts.replicas);
    std::iota(groups[0].begin(), groups[0].end(), 0);
  }
  for (auto& group : groups) {
    // Groups of other processes may be smaller; theirs is another root.
    const auto first =
        group.begin() + root % static_cast<int64_t>(group.size());
    std::rotate(group.begin(), first, first + 1);
  }
  return groups;
}

absl::Status EvaluateBroadcast(EvaluationContext& context, const Op& op,
                               absl::Span<const LiteralView> operands,
                               absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const bool has_dynamic_root, HasDynamicRoot(op));
  if (!has_dynamic_root) {
    return EvaluateCollective(context, op, operands, results);
  }
  ASSIGN_OR_RETURN(const CollectiveSpec spec, ParseCollectiveSpec(op));
  ASSIGN_OR_RETURN(const ProgramCounts counts, ProgramCountsOf(op));
  const std::vector<int32_t> group =
      GroupOfProcess(spec, counts.replicas, counts.partitions,
                     context.replica_id(), context.partition_id());
  std::vector<int64_t> roots(results.size(), 0);
  if (!group.empty()) {
    ASSIGN_OR_RETURN(
        roots, RootPositions(op, static_cast<int64_t>(group.size()), operands));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    CollectiveSpec rooted = spec;
    rooted.groups = WithRootInFront(spec, counts, roots[i]);
    RETURN_IF_ERROR(context.RunCollective(op, rooted, operands.subspan(i, 1),
                                          results.subspan(i, 1)));
  }
  return absl::OkStatus();
}

// collective_broadcast: the operand of the group's root; zeros on a process
// that is in no group.
//   (I1) operands, and the roots with has_dynamic_root. (I2) replica_groups
//   (C1, C2). (I3) channel_id.
REGISTER_OP(OpDef("stablehlo.collective_broadcast", OpKind::kCollective)
                .Infer(InferBroadcast)
                .Evaluate(EvaluateBroadcast)
                .Sharding(PointwiseSharding()));

}  // namespace
}  // namespace lockstep::internal
