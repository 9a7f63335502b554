#ifndef LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSION_PLAN_H_
#define LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSION_PLAN_H_

#include <vector>

#include "runtime/ir/op.h"
#include "runtime/ops/lockstep/fusion.h"
#include "runtime/passes/optimize/fusible_op.h"

namespace lockstep::internal {

// Ops of one region that become one kernel. A member may be part of several
// kernels; in all but one it is then computed again. Leaves (see FusionRole)
// are not listed: they belong to whatever reads them.
struct PlannedFusion {
  FusionKind kind = FusionKind::kLoop;
  std::vector<const Op*> members;  // in program order; the last is the root
  // Members whose results are needed outside of the kernel, in program order.
  std::vector<const Op*> outputs;
};

// What becomes one kernel, in the order of their roots. The kernel stands where
// its root stands: all it reads is defined before, all who read it come later.
//
// Ops are visited from the last to the first, so all users of an op are placed
// before it is. It joins its users' kernel when they all are in one; else it is
// computed again in each when that is cheap; else it becomes a further output
// of the first kernel that reads it; else it is the root of a kernel.
std::vector<PlannedFusion> PlanFusions(const Region& region,
                                       FusionRoles& roles);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSION_PLAN_H_
