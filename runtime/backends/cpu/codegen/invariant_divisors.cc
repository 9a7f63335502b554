#include "runtime/backends/cpu/codegen/invariant_divisors.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace lockstep::internal {
namespace {

// The loop that `division` is in, when it should be replaced.
llvm::Loop* LoopOf(const llvm::Instruction& division, llvm::LoopInfo& loops) {
  if (division.getOpcode() != llvm::Instruction::FDiv ||
      !division.getType()->isFloatTy()) {
    return nullptr;
  }
  llvm::Loop* loop = loops.getLoopFor(division.getParent());
  if (loop == nullptr || loop->getLoopPreheader() == nullptr ||
      !loop->isLoopInvariant(division.getOperand(1)) ||
      loop->isLoopInvariant(division.getOperand(0))) {
    return nullptr;
  }
  return loop;
}

}  // namespace

llvm::PreservedAnalyses InvariantDivisors::run(
    llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<llvm::Instruction*, 4> divisions;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (LoopOf(instruction, loops) != nullptr) {
      divisions.push_back(&instruction);
    }
  }
  llvm::IRBuilder<> b(function.getContext());
  llvm::Type* wide = b.getDoubleTy();
  for (llvm::Instruction* division : divisions) {
    b.SetInsertPoint(
        LoopOf(*division, loops)->getLoopPreheader()->getTerminator());
    llvm::Value* reciprocal =
        b.CreateFDiv(llvm::ConstantFP::get(wide, 1.0),
                     b.CreateFPExt(division->getOperand(1), wide));
    b.SetInsertPoint(division);
    llvm::Value* product =
        b.CreateFMul(b.CreateFPExt(division->getOperand(0), wide), reciprocal);
    division->replaceAllUsesWith(b.CreateFPTrunc(product, b.getFloatTy()));
    division->eraseFromParent();
  }
  if (divisions.empty()) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace lockstep::internal
