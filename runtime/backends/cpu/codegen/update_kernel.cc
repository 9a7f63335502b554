#include "runtime/backends/cpu/codegen/update_kernel.h"

#include <vector>

#include "runtime/backends/cpu/codegen/llvm_element_emitter.h"
#include "runtime/backends/cpu/codegen/step_buffers.h"
#include "runtime/kernels/update_step.h"

namespace lockstep::internal {

int64_t BuildUpdateKernel(const KernelGraph& graph, llvm::Module& module) {
  KernelFunction function(module, graph);
  const LoopSpace space(absl::Span<const int64_t>{});
  LlvmElementEmitter emitter(function, graph, space);
  llvm::IRBuilder<>& b = function.builder();
  StepBuffers buffers(function, graph);
  llvm::Value* list = buffers.Address(0);
  const int count = static_cast<int>(graph.inputs.size());
  const auto type = [&](int i) {
    return graph.outputs[i]->shape().element_type();
  };
  const auto update = [&](llvm::Value* target, llvm::Value* source) {
    std::vector<int> arguments;
    for (int i = 0; i < count; ++i) {
      arguments.push_back(function.Load(count + i, type(i), target));
    }
    for (int i = 0; i < count; ++i) {
      arguments.push_back(function.Load(i, type(i), source));
    }
    const std::vector<int> combined =
        emitter.EmitRegion(*graph.body, arguments);
    for (int i = 0; i < count; ++i) {
      function.Store(count + i, type(i), target, combined[i]);
    }
  };
  const bool has_runs = graph.variant == kUpdateRuns;
  function.Loop(
      function.begin(), function.end(), 1, false, [&](llvm::Value* i) {
        llvm::Value* entry = b.CreateNSWMul(i, function.Int(has_runs ? 3 : 2));
        const auto field = [&](int64_t at) {
          return buffers.IntegerAt(list,
                                   b.CreateNSWAdd(entry, function.Int(at)));
        };
        llvm::Value* target = field(0);
        llvm::Value* source = field(1);
        if (!has_runs) return update(target, source);
        function.Loop(function.Int(0), field(2), 1, true, [&](llvm::Value* j) {
          update(b.CreateNSWAdd(target, j), b.CreateNSWAdd(source, j));
        });
      });
  function.Finish();
  return 1;
}

}  // namespace lockstep::internal
