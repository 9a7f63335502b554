#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WIDEN_HALVES_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WIDEN_HALVES_H_

#include "llvm/IR/PassManager.h"

namespace lockstep::internal {

// Computes in f32 what the optimiser narrowed to f16, for processors without
// arithmetic of f16: LLVM 19 compiles comparisons and rounding of vectors of
// f16 element by element there, and maxima and minima wrongly (that of NaN and
// +0 is 0). Before vectorisation, whose costs it decides, and after the last
// pass that narrows. The results are the same: f32 holds every f16, and a
// square root that is rounded twice is rounded right.
class WidenHalves : public llvm::PassInfoMixin<WidenHalves> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function,
                              llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_WIDEN_HALVES_H_
