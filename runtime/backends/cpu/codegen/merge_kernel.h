#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_MERGE_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_MERGE_KERNEL_H_

#include <cstdint>

#include "llvm/IR/Module.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// kMerge: makes one sorted run of two, stable: a right element goes first only
// if the comparator `body` says so. Its iterations [begin, end) are the places
// of both runs. Buffers: the tensors that are sorted (inputs, as the
// comparator's arguments for one side; no outputs), then
//   uint32 from[]   positions in the lane, the runs one after the other
//   uint32 to[]     the merged positions
//   int64  {where the right run begins, first element of the lane, elements
//           between neighbours in the lane, distance}
// With a distance that is not 0 it merges kMergesAtOnce pairs of runs of the
// same sizes, so far apart: one waits for its elements while another goes on.
int64_t BuildMergeKernel(const KernelGraph& graph, llvm::Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_MERGE_KERNEL_H_
