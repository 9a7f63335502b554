#include <cstring>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/collectives/collective_root.h"
#include "runtime/ops/reduction_body.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferCollectiveReduce(const Op& op) {
  ASSIGN_OR_RETURN(const CollectiveSpec spec, CheckedCollectiveSpec(op));
  ASSIGN_OR_RETURN(const absl::Span<Value* const> data, DataOperands(op));
  std::vector<Type> types;
  for (size_t i = 0; i < data.size(); ++i) {
    ASSIGN_OR_RETURN(
        const std::vector<ElementType> element_types,
        ReductionBodyTypes(op, *spec.reduction, data.subspan(i, 1)));
    ASSIGN_OR_RETURN(Shape shape, ResultShape(op, element_types[0],
                                              data[i]->shape().dims()));
    types.push_back(std::move(shape));
  }
  return types;
}

// As an all_reduce of which only the root keeps the result.
absl::Status EvaluateCollectiveReduce(
    EvaluationContext& context, const Op& op,
    absl::Span<const LiteralView> operands,
    absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const CollectiveSpec spec, ParseCollectiveSpec(op));
  ASSIGN_OR_RETURN(const ProgramCounts counts, ProgramCountsOf(op));
  RETURN_IF_ERROR(context.RunCollective(
      op, spec, operands.subspan(0, results.size()), results));
  const int32_t replica = context.replica_id();
  const int32_t partition = context.partition_id();
  const std::vector<int32_t> group = GroupOfProcess(
      spec, counts.replicas, counts.partitions, replica, partition);
  if (group.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(
      const std::vector<int64_t> roots,
      RootPositions(op, static_cast<int64_t>(group.size()), operands));
  const int32_t process = replica * counts.partitions + partition;
  for (size_t i = 0; i < results.size(); ++i) {
    if (group[roots[i]] == process) continue;
    std::memset(results[i].bytes(), 0, results[i].byte_span().size());
  }
  return absl::OkStatus();
}

// collective_reduce: on the root of each group, the reduction of the members'
// operands; zeros elsewhere.
//   (I1) operands, and the roots with has_dynamic_root. (I2) replica_groups.
//   (I3) channel_id. (I4) computation.
REGISTER_OP(OpDef("stablehlo.collective_reduce", OpKind::kCollective)
                .Infer(InferCollectiveReduce)
                .Evaluate(EvaluateCollectiveReduce));

}  // namespace
}  // namespace lockstep::internal
