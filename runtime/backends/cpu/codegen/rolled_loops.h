#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ROLLED_LOOPS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ROLLED_LOOPS_H_

#include "llvm/IR/PassManager.h"

namespace lockstep::internal {

// Keeps innermost loops of scalars whose number of iterations is known from
// being unrolled before the vectoriser sees them. The vector loops that it
// makes may be unrolled after that. Loops of fewer iterations than
// kMinIterations are better as straight code; what is around a few of them
// counts as innermost.
class RolledLoops : public llvm::PassInfoMixin<RolledLoops> {
 public:
  static constexpr unsigned kMinIterations = 8;

  llvm::PreservedAnalyses run(llvm::Function& function,
                              llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ROLLED_LOOPS_H_
