#include "runtime/backends/collective_parameters.h"

#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/collectives/collective.h"

namespace lockstep::internal {
namespace {

using Operation = CollectiveThunk::Operation;

Operation OperationOf(CollectiveOpKind kind) {
  switch (kind) {
    case CollectiveOpKind::kAllReduce:
      return Operation::kAllReduce;
    case CollectiveOpKind::kAllGather:
      return Operation::kAllGather;
    case CollectiveOpKind::kReduceScatter:
      return Operation::kReduceScatter;
    case CollectiveOpKind::kAllToAll:
      return Operation::kAllToAll;
    case CollectiveOpKind::kCollectivePermute:
      return Operation::kPermute;
    case CollectiveOpKind::kCollectiveBroadcast:
      return Operation::kBroadcast;
    case CollectiveOpKind::kRaggedAllToAll:
      return Operation::kRaggedAllToAll;
  }
  return Operation::kAllReduce;
}

GroupRequirements RequirementsOf(Operation operation) {
  GroupRequirements requirements;
  requirements.covers_all_ids =
      operation != Operation::kBroadcast && operation != Operation::kReduce;
  requirements.equal_sizes = operation == Operation::kAllGather ||
                             operation == Operation::kReduceScatter ||
                             operation == Operation::kAllToAll ||
                             operation == Operation::kRaggedAllToAll;
  return requirements;
}

absl::Status CheckPairs(const Op& op, const CollectiveSpec& spec,
                        int64_t id_count) {
  for (const auto& [source, target] : spec.pairs) {
    for (int64_t id : {source, target}) {
      if (id >= 0 && id < id_count) continue;
      return op.Error(absl::StrCat("source_target_pairs: expected ids in [0, ",
                                   id_count, "), found ", id));
    }
  }
  return absl::OkStatus();
}

// ExpandOps leaves no body that promotes its operands.
absl::Status CheckBodyType(const Op& op, const Region& body) {
  const ElementType found = body.arguments()[0]->shape().element_type();
  // Roots, which come last, have no result.
  for (int i = 0; i < op.result_count(); ++i) {
    const ElementType expected = op.operand(i)->shape().element_type();
    if (found == expected) continue;
    return op.Unimplemented(absl::StrCat("a body of ", StablehloName(found),
                                         " for operands of ",
                                         StablehloName(expected)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CollectiveThunk::Parameters> CollectiveParameterReader::Read(
    const Op& op) {
  ASSIGN_OR_RETURN(const CollectiveSpec spec, ParseCollectiveSpec(op));
  const int32_t replicas = assignment_.replica_count();
  const int32_t partitions = assignment_.partition_count();
  CollectiveThunk::Parameters parameters;
  parameters.operation = op.name() == "stablehlo.collective_reduce"
                             ? Operation::kReduce
                             : OperationOf(spec.kind);
  ASSIGN_OR_RETURN(parameters.has_dynamic_root,
                   op.BoolAttributeOr("has_dynamic_root", false));
  parameters.dim = spec.dim;
  parameters.concat_dim = spec.concat_dim;
  if (parameters.operation == Operation::kPermute) {
    RETURN_IF_ERROR(CheckPairs(
        op, spec,
        spec.mode == GroupMode::kCrossPartition ? partitions : replicas));
    parameters.groups.emplace_back(assignment_.device_count());
    std::iota(parameters.groups[0].begin(), parameters.groups[0].end(), 0);
    parameters.pairs =
        FlattenedPairs(spec.pairs, spec.mode, replicas, partitions);
  } else {
    absl::Status valid =
        ValidateReplicaGroups(spec.groups, spec.mode, replicas, partitions,
                              RequirementsOf(parameters.operation));
    if (!valid.ok()) return op.Error(valid.message());
    parameters.groups =
        FlattenedGroups(spec.groups, spec.mode, replicas, partitions);
  }
  if (spec.reduction != nullptr) {
    RETURN_IF_ERROR(CheckBodyType(op, *spec.reduction));
    ASSIGN_OR_RETURN(parameters.reduction,
                     kernels_.EmitReduction(op, *spec.reduction));
  }
  RETURN_IF_ERROR(CheckShapes(op, parameters));
  parameters.clique_slot =
      slots_.try_emplace(parameters.groups, clique_slot_count()).first->second;
  parameters.ordinal = next_ordinal_++;
  return parameters;
}

// The sizes along the dimension must fit the groups, which only the
// assignment tells when the op leaves them out.
absl::Status CollectiveParameterReader::CheckShapes(
    const Op& op, const CollectiveThunk::Parameters& parameters) const {
  if (parameters.groups.empty()) return absl::OkStatus();
  const int64_t size = static_cast<int64_t>(parameters.groups[0].size());
  for (int i = 0; i < op.result_count(); ++i) {
    const int64_t operand = op.operand(i)->shape().byte_size();
    const int64_t result = op.result(i)->shape().byte_size();
    bool fits = operand == result;
    if (parameters.operation == Operation::kAllGather) {
      fits = operand * size == result;
    } else if (parameters.operation == Operation::kReduceScatter) {
      fits = operand == result * size;
    } else if (parameters.operation == Operation::kAllToAll) {
      fits = fits && op.operand(i)->shape().dim(parameters.dim) % size == 0;
    } else if (parameters.operation == Operation::kRaggedAllToAll) {
      fits = op.operand(2)->shape().dim(0) == size;
    }
    if (fits) continue;
    return op.Error(absl::StrCat("groups of ", size, " do not fit: operand ",
                                 op.operand(i)->shape().ToString(), ", result ",
                                 op.result(i)->shape().ToString()));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
