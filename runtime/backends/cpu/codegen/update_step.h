#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_STEP_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_STEP_H_

#include <memory>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The variants of kUpdate (update_kernel.h). An iteration is a list entry:
enum UpdateVariant {
  kUpdateElements = 0,  // {target, source}
  kUpdateRuns = 1,      // {target, source, count}: neighbours in both
};

// The kernel kUpdate for `body`, a region of `op` that can be emitted.
std::shared_ptr<const Kernel> AddUpdateKernel(const Op& op, const Region& body,
                                              UpdateVariant variant,
                                              KernelCompiler& compiler);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_STEP_H_
