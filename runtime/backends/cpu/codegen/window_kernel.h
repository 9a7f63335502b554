#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WINDOW_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WINDOW_KERNEL_H_

#include <cstdint>

#include "llvm/IR/Module.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// kWindow, in its variants (window_step.h): the reduction of every window of
// reduce_window `op`, init value first, then the elements in row-major order.
// Buffers: the op's operands and results.
//
// kSelect: which element every window of select_and_scatter `op` selects by
// `body`. Buffers: the operand; int64 targets[], by place, the first place of
// `begin` first: the element's offset, or -1 when all of the window lies in the
// padding.
int64_t BuildWindowKernel(const KernelGraph& graph, llvm::Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WINDOW_KERNEL_H_
