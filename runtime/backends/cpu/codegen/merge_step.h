#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_MERGE_STEP_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_MERGE_STEP_H_

#include <memory>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// Pairs of runs that a kMerge kernel (merge_kernel.h) takes together.
inline constexpr int kMergesAtOnce = 4;

// The kernel kMerge for the comparator of a sort, which can be emitted.
std::shared_ptr<const Kernel> AddMergeKernel(const Op& sort,
                                             KernelCompiler& compiler);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_MERGE_STEP_H_
