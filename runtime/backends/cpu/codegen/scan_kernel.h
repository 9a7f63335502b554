#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCAN_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCAN_KERNEL_H_

#include <cstdint>

#include "llvm/IR/Module.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// kScan, in its variants (scan_step.h): line after line [begin, end), each of
// rows of columns, through `body`, of two arguments. f16 and bf16 accumulate in
// f32 when it is a single op. Buffers: from, init or other (inputs), to
// (output), of the types of the body; a ScanShape.
int64_t BuildScanKernel(const KernelGraph& graph, llvm::Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCAN_KERNEL_H_
