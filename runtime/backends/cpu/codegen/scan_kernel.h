#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCAN_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCAN_KERNEL_H_

#include <cstdint>

#include "llvm/IR/Module.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// A ScanStep (runtime/kernels/scan_step.h), in its variants.
int64_t BuildScanKernel(const KernelGraph& graph, llvm::Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCAN_KERNEL_H_
