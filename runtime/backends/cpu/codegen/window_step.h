#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WINDOW_STEP_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WINDOW_STEP_H_

#include <cstdint>
#include <memory>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The variants of kWindow (window_kernel.h).
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

// The kernel kWindow of a reduce_window whose body can be emitted; kSelect of a
// select_and_scatter. Null when there is no code.
std::shared_ptr<const Kernel> AddWindowKernel(const Op& op,
                                              KernelCompiler& compiler);
std::shared_ptr<const Kernel> AddSelectKernel(const Op& op,
                                              KernelCompiler& compiler);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WINDOW_STEP_H_
