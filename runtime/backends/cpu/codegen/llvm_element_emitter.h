#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LLVM_ELEMENT_EMITTER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LLVM_ELEMENT_EMITTER_H_

#include "runtime/backends/cpu/codegen/kernel_function.h"
#include "runtime/kernels/element_emitter.h"

namespace lockstep::internal {

// An ElementEmitter whose indices are values of LLVM.
class LlvmElementEmitter : public ElementEmitter {
 public:
  LlvmElementEmitter(KernelFunction& function, const KernelGraph& graph,
                     const LoopSpace& space)
      : ElementEmitter(function, graph, space), function_(function) {}

  // Null: counts as 0.
  void set_variable(int64_t loop, llvm::Value* variable) {
    ElementEmitter::set_variable(
        loop, variable == nullptr ? Index() : function_.IndexOf(variable));
  }
  llvm::Value* variable(int64_t loop) const {
    const Index index = ElementEmitter::variable(loop);
    return index.is_known() ? function_.ValueOf(index) : nullptr;
  }
  llvm::Value* Materialize(const LinearIndex& index) {
    return function_.ValueOf(Position(index));
  }

 private:
  KernelFunction& function_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_LLVM_ELEMENT_EMITTER_H_
