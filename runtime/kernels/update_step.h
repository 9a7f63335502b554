#ifndef LOCKSTEP_RUNTIME_KERNELS_UPDATE_STEP_H_
#define LOCKSTEP_RUNTIME_KERNELS_UPDATE_STEP_H_

#include "runtime/ir/op.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The variants of kUpdate. An iteration is a list entry:
enum UpdateVariant {
  kUpdateElements = 0,  // {target, source}
  kUpdateRuns = 1,      // {target, source, count}: neighbours in both
};

// kUpdate for `body`, a region of `op` that can be emitted:
// results[..][target] = body(results[..][target], updates[..][source]) for the
// entries of a list, in order. Buffers: the updates, the results (inputs and
// outputs, as the arguments of the body), the list of int64s.
KernelGraph UpdateStep(const Op& op, const Region& body, UpdateVariant variant);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_UPDATE_STEP_H_
