#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCALAR_VARIABLES_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCALAR_VARIABLES_H_

#include <vector>

#include "runtime/backends/cpu/codegen/kernel_function.h"

namespace lockstep::internal {

// Scalars that change from one iteration of a loop to the next.
class ScalarVariables {
 public:
  // The function outlives it. The first Set says how many there are, and of
  // which types.
  explicit ScalarVariables(KernelFunction& function) : function_(function) {}

  void Set(const std::vector<int>& scalars);
  std::vector<int> Get() const;

 private:
  struct Variable {
    ElementType type;
    llvm::AllocaInst* value;
    llvm::AllocaInst* imaginary;  // null for real types
  };

  KernelFunction& function_;
  std::vector<Variable> variables_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SCALAR_VARIABLES_H_
