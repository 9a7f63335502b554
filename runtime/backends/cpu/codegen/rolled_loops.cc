#include "runtime/backends/cpu/codegen/rolled_loops.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Metadata.h"

namespace lockstep::internal {
namespace {

bool HasVectors(const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      if (instruction.getType()->isVectorTy()) return true;
    }
  }
  return false;
}

// Whether there are no loops inside once those of few iterations are unrolled.
bool WillBeInnermost(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  return llvm::all_of(loop, [&](llvm::Loop* inner) {
    const unsigned count = evolution.getSmallConstantTripCount(inner);
    return count > 0 && count < RolledLoops::kMinIterations &&
           inner->isInnermost();
  });
}

void KeepRolled(llvm::Loop& loop) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  const auto named = [&](const char* name) {
    return llvm::MDNode::get(context, {llvm::MDString::get(context, name)});
  };
  llvm::SmallVector<llvm::Metadata*, 6> properties = {nullptr};
  if (const llvm::MDNode* old = loop.getLoopID()) {
    properties.append(old->op_begin() + 1, old->op_end());
  }
  properties.push_back(named("llvm.loop.unroll.disable"));
  properties.push_back(llvm::MDNode::get(
      context,
      {llvm::MDString::get(context, "llvm.loop.vectorize.followup_all"),
       named("llvm.loop.isvectorized"),
       named("llvm.loop.unroll.runtime.disable")}));
  llvm::MDNode* id = llvm::MDNode::getDistinct(context, properties);
  id->replaceOperandWith(0, id);
  loop.setLoopID(id);
}

}  // namespace

llvm::PreservedAnalyses RolledLoops::run(
    llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (WillBeInnermost(*loop, evolution) && !HasVectors(*loop) &&
        evolution.getSmallConstantTripCount(loop) >= kMinIterations) {
      KeepRolled(*loop);
    }
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace lockstep::internal
