#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_INVARIANT_DIVISORS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_INVARIANT_DIVISORS_H_

#include "llvm/IR/PassManager.h"

namespace lockstep::internal {

// Floats that a loop divides by what it does not change are multiplied by the
// reciprocal, as doubles: before vectorisation, after what is invariant has
// left the loop.
//
// The results are those of division: a quotient of floats is further than 2^-49
// of itself away from every middle between two floats, and the product is exact
// to 2^-51. Only quotients exactly in the middle between two denormal floats
// may be rounded to the other one.
class InvariantDivisors : public llvm::PassInfoMixin<InvariantDivisors> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function,
                              llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_INVARIANT_DIVISORS_H_
