#include "runtime/interpreter/collective_execution.h"

#include "absl/algorithm/container.h"
#include "runtime/base/status.h"
#include "runtime/interpreter/tensor_collectives.h"

namespace lockstep::internal {
namespace {

// The position of `process` in the group, or -1.
int RankOf(absl::Span<const int32_t> group, int32_t process) {
  const auto found = absl::c_find(group, process);
  return found == group.end() ? -1 : static_cast<int>(found - group.begin());
}

absl::Status ExecuteOne(const CollectiveSpec& spec,
                        HostCommunicator& communicator,
                        const CollectiveCall& call, const Reduction* reduction,
                        const PermuteRoute& route, const LiteralView& operand,
                        const MutableLiteralView& result) {
  switch (spec.kind) {
    case CollectiveOpKind::kAllReduce:
      return AllReduceTensor(communicator, call, *reduction, operand, result);
    case CollectiveOpKind::kReduceScatter:
      return ReduceScatterTensor(communicator, call, *reduction, spec.dim,
                                 operand, result);
    case CollectiveOpKind::kAllGather:
      return AllGatherTensor(communicator, call, spec.dim, operand, result);
    case CollectiveOpKind::kAllToAll:
      return AllToAllTensor(communicator, call, spec.dim, spec.concat_dim,
                            operand, result);
    case CollectiveOpKind::kCollectivePermute:
      return communicator.PermuteOnHost(call, route.source, route.targets,
                                        operand.byte_span(),
                                        result.byte_span());
    case CollectiveOpKind::kCollectiveBroadcast:
      return communicator.BroadcastOnHost(call, /*root=*/0, operand.byte_span(),
                                          result.byte_span());
    case CollectiveOpKind::kRaggedAllToAll:
      break;
  }
  return absl::InternalError("unknown collective");
}

}  // namespace

std::vector<int32_t> CollectiveGroup(const CollectiveSpec& spec,
                                     int32_t replica_count,
                                     int32_t partition_count, int32_t process) {
  for (auto& group : FlattenedGroups(spec.groups, spec.mode, replica_count,
                                     partition_count)) {
    if (RankOf(group, process) >= 0) return group;
  }
  return {};
}

PermuteRoute PermuteRouteOf(const CollectiveSpec& spec, int32_t replica_count,
                            int32_t partition_count,
                            absl::Span<const int32_t> group, int rank) {
  PermuteRoute route;
  for (const auto& [source, target] :
       FlattenedPairs(spec.pairs, spec.mode, replica_count, partition_count)) {
    if (target == group[rank]) route.source = RankOf(group, source);
    if (source == group[rank]) route.targets.push_back(RankOf(group, target));
  }
  return route;
}

absl::Status ExecuteCollective(const CollectiveSpec& spec,
                               HostCommunicator& communicator,
                               CollectiveCall call, const Reduction* reduction,
                               const PermuteRoute& route,
                               absl::Span<const LiteralView> operands,
                               absl::Span<const MutableLiteralView> results) {
  if (spec.kind == CollectiveOpKind::kRaggedAllToAll) {
    return RaggedAllToAllTensor(communicator, call, operands[2], operands[0],
                                operands[1], results[0]);
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    RETURN_IF_ERROR(ExecuteOne(spec, communicator, call, reduction, route,
                               operands[i], results[i]));
    ++call.number;
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
