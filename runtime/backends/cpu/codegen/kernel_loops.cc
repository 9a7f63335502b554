#include "runtime/backends/cpu/codegen/kernel_loops.h"

#include <algorithm>

namespace lockstep::internal {
namespace {

// A kernel whose dimensions are split more often does with divisions.
constexpr int kMaxRehearsals = 6;

void EmitNested(KernelFunction& function, ElementEmitter& emitter,
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

void EmitLoops(KernelFunction& function, ElementEmitter& emitter,
               absl::Span<const MergedLoop> loops,
               const std::function<void()>& body) {
  EmitNested(function, emitter, loops, true, body);
}

void EmitOuterLoops(KernelFunction& function, ElementEmitter& emitter,
                    absl::Span<const MergedLoop> loops,
                    const std::function<void()>& body) {
  EmitNested(function, emitter, loops, false, body);
}

int64_t EmitRangeLoop(KernelFunction& function, ElementEmitter& emitter,
                      absl::Span<const MergedLoop> loops,
                      const std::function<void()>& body) {
  int64_t count = 1;
  for (const MergedLoop& loop : loops) count *= loop.size;
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

bool RehearseLoops(const KernelGraph& graph, LoopSpace& space,
                   std::vector<LinearIndex>& uses,
                   const std::function<void(ElementEmitter&)>& emit) {
  for (int attempt = 0; attempt < kMaxRehearsals; ++attempt) {
    llvm::LLVMContext context;
    llvm::Module module("rehearsal", context);
    KernelFunction function(module, graph);
    ElementEmitter emitter(function, graph, space);
    for (int64_t i = 0; i < space.loops(); ++i) {
      emitter.set_variable(i, function.begin());
    }
    emit(emitter);
    function.Finish();
    if (!emitter.is_ok()) return false;
    uses = emitter.uses();
    if (emitter.splits().empty() || attempt + 1 == kMaxRehearsals) break;
    const auto [loop, inner] = emitter.splits()[0];
    space.Split(loop, inner);
  }
  return true;
}

}  // namespace lockstep::internal
