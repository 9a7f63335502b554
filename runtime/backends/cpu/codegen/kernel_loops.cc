#include "runtime/backends/cpu/codegen/kernel_loops.h"

#include <algorithm>

namespace lockstep::internal {
namespace {

void EmitNested(KernelFunction& function, LlvmElementEmitter& emitter,
                absl::Span<const MergedLoop> loops, bool is_innermost_parallel,
                const std::function<void()>& body) {
  if (loops.empty()) return body();
  function.Loop(function.Int(0), function.Int(loops[0].size), 1,
                is_innermost_parallel && loops.size() == 1,
                [&](llvm::Value* variable) {
                  emitter.BeginScope();
                  emitter.set_variable(loops[0].last, variable);
                  EmitNested(function, emitter, loops.subspan(1),
                             is_innermost_parallel, body);
                  emitter.EndScope();
                });
}

}  // namespace

void EmitLoops(KernelFunction& function, LlvmElementEmitter& emitter,
               absl::Span<const MergedLoop> loops,
               const std::function<void()>& body) {
  EmitNested(function, emitter, loops, true, body);
}

void EmitOuterLoops(KernelFunction& function, LlvmElementEmitter& emitter,
                    absl::Span<const MergedLoop> loops,
                    const std::function<void()>& body) {
  EmitNested(function, emitter, loops, false, body);
}

int64_t EmitRangeLoop(KernelFunction& function, LlvmElementEmitter& emitter,
                      absl::Span<const MergedLoop> loops,
                      const std::function<void()>& body) {
  int64_t count = 1;
  for (const MergedLoop& loop : loops) count *= loop.size;
  if (function.is_part()) {
    EmitLoops(function, emitter, loops, body);
    return count;
  }
  llvm::IRBuilder<>& b = function.builder();
  function.Loop(function.begin(), function.end(), 1, /*is_parallel=*/true,
                [&](llvm::Value* position) {
                  emitter.BeginScope();
                  llvm::Value* rest = position;
                  for (size_t i = loops.size(); i-- > 0;) {
                    const MergedLoop& loop = loops[i];
                    llvm::Value* variable = rest;
                    if (i > 0) {
                      llvm::Value* size = function.Int(loop.size);
                      rest = b.CreateUDiv(rest, size);
                      variable =
                          b.CreateNSWSub(variable, b.CreateNSWMul(rest, size));
                    }
                    emitter.set_variable(loop.last, variable);
                  }
                  body();
                  emitter.EndScope();
                });
  return count;
}

}  // namespace lockstep::internal
