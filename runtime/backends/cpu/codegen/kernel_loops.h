#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_LOOPS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_LOOPS_H_

#include <functional>
#include <vector>

#include "runtime/backends/cpu/codegen/llvm_element_emitter.h"

namespace lockstep::internal {

// Emits nested loops over `loops`, outermost first, and sets their variables in
// `emitter`; `body` emits what is inside. The innermost loop is vectorised.
void EmitLoops(KernelFunction& function, LlvmElementEmitter& emitter,
               absl::Span<const MergedLoop> loops,
               const std::function<void()>& body);

// As EmitLoops, for loops around others: none of them is vectorised.
void EmitOuterLoops(KernelFunction& function, LlvmElementEmitter& emitter,
                    absl::Span<const MergedLoop> loops,
                    const std::function<void()>& body);

// The loop over [begin, end) of the kernel, whose iterations run over `loops`
// as one, the last the fastest; `body` is emitted inside. Returns their number.
// A part has them as loops in loops.
int64_t EmitRangeLoop(KernelFunction& function, LlvmElementEmitter& emitter,
                      absl::Span<const MergedLoop> loops,
                      const std::function<void()>& body);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_KERNEL_LOOPS_H_
