#include "runtime/interpreter/in_process_place.h"

#include <cstring>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/collectives/host_communicator.h"
#include "runtime/interpreter/collective_execution.h"
#include "runtime/interpreter/region_reduction.h"

namespace lockstep::internal {
namespace {

uint64_t DigestOf(const CollectiveSpec& spec,
                  absl::Span<const LiteralView> operands) {
  std::vector<Shape> shapes;
  for (const LiteralView& operand : operands) {
    shapes.push_back(operand.shape());
  }
  return absl::HashOf(static_cast<int>(spec.kind), spec.dim, spec.concat_dim,
                      spec.groups, spec.pairs, shapes);
}

// The program may be meant for more processes than run it.
absl::Status CheckGroup(const Op& op, absl::Span<const int32_t> group,
                        const DeviceAssignment& assignment) {
  for (int32_t process : group) {
    if (process >= 0 && process < assignment.device_count()) continue;
    return op.Error(absl::StrCat("expected processes 0 to ",
                                 assignment.device_count() - 1,
                                 " in the group, found ", process));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<InProcessPlace::Endpoint*> InProcessPlace::EndpointOf(
    absl::Span<const int32_t> group) {
  std::vector<CliqueMember> members;
  for (int32_t process : group) {
    members.push_back(
        {assignment_.devices()[process], HostId(0), Incarnation(1)});
  }
  CliqueKey key(std::move(members));
  Endpoint& endpoint = endpoints_[key];
  if (endpoint.communicator == nullptr) {
    ASSIGN_OR_RETURN(endpoint.communicator,
                     cliques_.Acquire(key, assignment_.devices()[process_]));
  }
  return &endpoint;
}

absl::StatusOr<const Reduction*> InProcessPlace::ReductionFor(
    const CollectiveSpec& spec) {
  if (spec.reduction == nullptr) return nullptr;
  std::shared_ptr<const Reduction>& reduction = reductions_[spec.reduction];
  if (reduction == nullptr) {
    ASSIGN_OR_RETURN(reduction, ReductionOf(*spec.reduction));
  }
  return reduction.get();
}

absl::Status InProcessPlace::RunCollective(
    const Op& op, const CollectiveSpec& spec,
    absl::Span<const LiteralView> operands,
    absl::Span<const MutableLiteralView> results) {
  if (op.name() == "stablehlo.send") return channels_.Send(op, operands);
  if (op.name() == "stablehlo.recv") return channels_.Receive(op, results);
  const int32_t replicas = assignment_.replica_count();
  const int32_t partitions = assignment_.partition_count();
  const std::vector<int32_t> group =
      CollectiveGroup(spec, replicas, partitions, process_);
  if (group.empty()) {
    for (const MutableLiteralView& result : results) {
      std::memset(result.bytes(), 0, result.byte_span().size());
    }
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(CheckGroup(op, group, assignment_));
  ASSIGN_OR_RETURN(Endpoint * endpoint, EndpointOf(group));
  LOCKSTEP_CHECK(endpoint->communicator->on_host() != nullptr);
  HostCommunicator& communicator = *endpoint->communicator->on_host();
  ASSIGN_OR_RETURN(const Reduction* reduction, ReductionFor(spec));
  PermuteRoute route;
  if (spec.kind == CollectiveOpKind::kCollectivePermute) {
    route =
        PermuteRouteOf(spec, replicas, partitions, group, communicator.rank());
  }
  CollectiveCall call;
  call.number = endpoint->next_number;
  endpoint->next_number += static_cast<int64_t>(operands.size());
  call.digest = DigestOf(spec, operands);
  call.description = absl::StrCat(op.name(), " #", call.number, ", ",
                                  op.location().ToString());
  call.cancellation = &cancellation_;
  return ExecuteCollective(spec, communicator, std::move(call), reduction,
                           route, operands, results);
}

}  // namespace lockstep::internal
