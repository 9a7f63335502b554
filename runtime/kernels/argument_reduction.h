#ifndef LOCKSTEP_RUNTIME_KERNELS_ARGUMENT_REDUCTION_H_
#define LOCKSTEP_RUNTIME_KERNELS_ARGUMENT_REDUCTION_H_

#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The reduction of a graph that looks, along the last dim, for the largest or
// smallest element and its index: the only one, of an operand and an iota. What
// it gives does not depend on the order in which it sees the elements, as long
// as the one with the lower index is the left argument of its body. Null for
// other graphs.
const Op* MatchArgumentReduction(const KernelGraph& graph);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_ARGUMENT_REDUCTION_H_
