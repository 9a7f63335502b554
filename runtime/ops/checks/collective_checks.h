#ifndef LOCKSTEP_RUNTIME_OPS_CHECKS_COLLECTIVE_CHECKS_H_
#define LOCKSTEP_RUNTIME_OPS_CHECKS_COLLECTIVE_CHECKS_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/ops/collectives/collective.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {

// Replicas and partitions of the module that the op stands in; 1 of each for
// an op outside a module.
struct ProgramCounts {
  int32_t replicas = 1;
  int32_t partitions = 1;
};
absl::StatusOr<ProgramCounts> ProgramCountsOf(const Op& op);

// The spec of a collective with at least one operand, all tensors; groups and
// pairs are valid for the module's counts (spec K-9).
absl::StatusOr<CollectiveSpec> CheckedCollectiveSpec(const Op& op);

// A send or recv: its channel has the type of its other end, which is the host
// (then `host_type`) or a device.
absl::Status CheckTransfer(const Op& op, int64_t host_type);
// Of a send or recv between devices: a permute. Pairs are of partitions where
// the module has several, else of replicas, and valid for its counts.
absl::StatusOr<CollectiveSpec> CheckedTransferSpec(const Op& op);

// The number of processes in each group; the groups must have one size.
absl::StatusOr<int64_t> GroupSize(const Op& op, const CollectiveSpec& spec);

// The evaluation of every collective: the context runs it.
absl::Status EvaluateCollective(EvaluationContext& context, const Op& op,
                                absl::Span<const LiteralView> operands,
                                absl::Span<const MutableLiteralView> results);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CHECKS_COLLECTIVE_CHECKS_H_
