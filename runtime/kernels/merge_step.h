#ifndef LOCKSTEP_RUNTIME_KERNELS_MERGE_STEP_H_
#define LOCKSTEP_RUNTIME_KERNELS_MERGE_STEP_H_

#include "runtime/ir/op.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// Pairs of runs that a kMerge kernel takes together.
inline constexpr int kMergesAtOnce = 4;

// kMerge for the comparator of a sort, which can be emitted: makes one sorted
// run of two, stable: a right element goes first only if the comparator says
// so. Its iterations [begin, end) are the places of both runs. Buffers: the
// tensors that are sorted (inputs, as the comparator's arguments for one side;
// no outputs), then
//   uint32 from[]   positions in the lane, the runs one after the other
//   uint32 to[]     the merged positions
//   int64  {where the right run begins, first element of the lane, elements
//           between neighbours in the lane, distance}
// With a distance that is not 0 it merges kMergesAtOnce pairs of runs of the
// same sizes, so far apart: one waits for its elements while another goes on.
KernelGraph MergeStep(const Op& sort);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_MERGE_STEP_H_
