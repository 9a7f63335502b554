#ifndef LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSIBLE_OP_H_
#define LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSIBLE_OP_H_

#include <functional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// What part an op can have in a fusion.
enum class FusionRole {
  kNone,  // always on its own
  // No operands, costs nothing: copied into every fusion that reads it.
  kLeaf,
  kElementwise,
  kIndexMap,  // each result element is one operand element, elsewhere
  kReduce,
};

// Which ops can be part of a kernel, for one backend. Remembers its answers, so
// ops must not change or go while it lives. Used by one thread.
class FusionRoles {
 public:
  // `can_fuse`: whether the backend's kernels have code for an op; asked for
  // ops that could be fused at all.
  explicit FusionRoles(std::function<bool(const Op&)> can_fuse)
      : can_fuse_(std::move(can_fuse)) {}

  FusionRole Of(const Op& op);
  // For operands: whether it comes from a leaf.
  bool IsLeaf(const Value* value) {
    return value->defining_op() != nullptr &&
           Of(*value->defining_op()) == FusionRole::kLeaf;
  }

 private:
  const std::function<bool(const Op&)> can_fuse_;
  absl::flat_hash_map<const Op*, FusionRole> roles_;
};

// How much the computation of one element costs: 0 for what only moves, 1 for
// an addition, 4 for a division, 16 for an exponential.
int ElementCost(const Op& op);

// Whether the kernels that read it may do its work again: it costs next to
// nothing and reading its operand is not more than reading its result.
bool IsFree(const Op& op);  // broadcasts, slices: always
// Conversions and the like: a few times.
bool IsCheapToRepeat(const Op& op, FusionRoles& roles);

// Whether `op` is a broadcast_in_dim of the leading dims of its result.
bool IsRowBroadcast(const Op& op);

// The reduced dims of a reduce, ascending.
std::vector<int64_t> ReducedDimsOf(const Op& reduce);
// Whether they are the last ones of `rank` dims.
bool AreTrailing(absl::Span<const int64_t> reduced, int64_t rank);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSIBLE_OP_H_
