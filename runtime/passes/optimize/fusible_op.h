#ifndef LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSIBLE_OP_H_
#define LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSIBLE_OP_H_

#include <vector>

#include "absl/types/span.h"
#include "runtime/ir/op.h"

namespace lockstep {

// What part an op can have in a fusion.
enum class FusionRole {
  kNone,  // always on its own
  // No operands, costs nothing: copied into every fusion that reads it.
  kLeaf,
  kElementwise,
  kIndexMap,  // each result element is one operand element, elsewhere
  kReduce,
};

// Of an op of a verified module, with what the kernels of backends can do:
// integers of 8 bits and more, pred, floats of 16 bits and more.
FusionRole FusionRoleOf(const Op& op);

// How much the computation of one element costs: 0 for what only moves, 1 for
// an addition, 4 for a division, 16 for an exponential.
int ElementCost(const Op& op);

// Whether the kernels that read it may do its work again: it costs next to
// nothing and reading its operand is not more than reading its result.
bool IsFree(const Op& op);           // broadcasts, slices: always
bool IsCheapToRepeat(const Op& op);  // conversions and the like: a few times

// Whether `op` is a broadcast_in_dim of the leading dims of its result.
bool IsRowBroadcast(const Op& op);

// The reduced dims of a reduce, ascending.
std::vector<int64_t> ReducedDimsOf(const Op& reduce);
// Whether they are the last ones of `rank` dims.
bool AreTrailing(absl::Span<const int64_t> reduced, int64_t rank);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSIBLE_OP_H_
