#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_CHOOSE_SHARDINGS_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_CHOOSE_SHARDINGS_H_

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/sharding/common_mesh.h"
#include "runtime/sharding/op_reshards.h"

namespace lockstep::internal {

// The shardings at which lower_to_shards can compute an op whose operands and
// results have those that are given: ChooseOpShardings by PartitionableRule,
// where the axes of a factor in a dim with others also divide it, and devices
// exchange no more along a factor than they would gather; UnshardedOp for an op
// without a rule. Errors are those of the rule.
absl::StatusOr<OpReshards> ChooseShardings(const Op& op,
                                           const OpShardings& given,
                                           const CommonMesh& mesh);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_CHOOSE_SHARDINGS_H_
