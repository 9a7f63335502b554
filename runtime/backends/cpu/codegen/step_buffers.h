#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_STEP_BUFFERS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_STEP_BUFFERS_H_

#include <functional>

#include "runtime/backends/cpu/codegen/kernel_function.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// The buffers that a step gets after those of its graph: indices, and numbers
// that are known only when it runs.
class StepBuffers {
 public:
  StepBuffers(KernelFunction& function, const KernelGraph& graph)
      : function_(function), first_(graph.alias_of.size()) {}

  llvm::Value* Address(int buffer) {
    llvm::IRBuilder<>& b = function_.builder();
    llvm::Value* buffers = b.GetInsertBlock()->getParent()->getArg(0);
    llvm::Type* pointer = b.getPtrTy();
    return b.CreateLoad(
        pointer, b.CreateConstInBoundsGEP1_64(
                     pointer, buffers, first_ + static_cast<size_t>(buffer)));
  }
  // The int64 at `index` of the buffer at `address`.
  llvm::Value* IntegerAt(llvm::Value* address, llvm::Value* index) {
    llvm::IRBuilder<>& b = function_.builder();
    return b.CreateLoad(b.getInt64Ty(),
                        b.CreateInBoundsGEP(b.getInt64Ty(), address, {index}));
  }
  llvm::Value* Integer(llvm::Value* address, int64_t index) {
    return IntegerAt(address, function_.Int(index));
  }

 private:
  KernelFunction& function_;
  const size_t first_;
};

// `body` where the predicate holds.
inline void EmitIf(KernelFunction& function, llvm::Value* predicate,
                   const std::function<void()>& body) {
  llvm::IRBuilder<>& b = function.builder();
  function.Loop(function.Int(0), b.CreateZExt(predicate, b.getInt64Ty()), 1,
                false, [&](llvm::Value*) { body(); });
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_STEP_BUFFERS_H_
