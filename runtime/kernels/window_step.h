#ifndef LOCKSTEP_RUNTIME_KERNELS_WINDOW_STEP_H_
#define LOCKSTEP_RUNTIME_KERNELS_WINDOW_STEP_H_

#include <cstdint>

#include "runtime/ir/op.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The variants of kWindow.
enum WindowVariant {
  kPaddingCounts = 0,  // what lies in the padding is an init value
  kPaddingIsSkipped = 1,
};

// The places of a window that one iteration goes through are those of the dims
// from this one on: as many as stay below a limit, so that the loops over them
// are simple.
int64_t FirstInnerDim(const Shape& places);
int64_t PlacesPerIteration(const Shape& places);

// Whether the init value of reduce_window `op` changes nothing that already
// holds it: so padding can be left out.
bool IsInitNeutral(const Op& op);

// kWindow of a reduce_window whose body can be emitted: the reduction of every
// window, init value first, then the elements in row-major order. Buffers: the
// op's operands and results.
KernelGraph WindowStep(const Op& op);
// kSelect: which element every window of a select_and_scatter selects. Buffers:
// the operand; int64 targets[], by place, the first place of `begin` first: the
// element's offset, or -1 when all of the window lies in the padding.
KernelGraph SelectStep(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_WINDOW_STEP_H_
