#include "runtime/backends/cpu/codegen/widen_halves.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lockstep::internal {
namespace {

bool IsOfHalves(const llvm::Value& value) {
  return value.getType()->getScalarType()->isHalfTy();
}

bool IsWidenedIntrinsic(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::fptosi_sat:
    case llvm::Intrinsic::fptoui_sat:
      return true;
    default:
      return false;
  }
}

bool IsWidened(const llvm::Instruction& instruction) {
  if (instruction.getNumOperands() == 0 ||
      !IsOfHalves(*instruction.getOperand(0))) {
    return false;
  }
  if (llvm::isa<llvm::FCmpInst>(instruction)) return true;
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic != nullptr &&
         IsWidenedIntrinsic(intrinsic->getIntrinsicID());
}

llvm::Value* Widened(llvm::IRBuilder<>& b, llvm::Instruction& instruction) {
  const auto wide = [&](llvm::Value* value) {
    return b.CreateFPExt(value,
                         value->getType()->getWithNewType(b.getFloatTy()));
  };
  if (auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction)) {
    return b.CreateFCmp(compare->getPredicate(), wide(compare->getOperand(0)),
                        wide(compare->getOperand(1)));
  }
  auto& intrinsic = llvm::cast<llvm::IntrinsicInst>(instruction);
  llvm::SmallVector<llvm::Value*, 2> arguments;
  for (llvm::Value* argument : intrinsic.args()) {
    arguments.push_back(wide(argument));
  }
  llvm::SmallVector<llvm::Type*, 2> overloads = {arguments[0]->getType()};
  const bool is_of_halves = IsOfHalves(intrinsic);
  if (!is_of_halves) overloads.insert(overloads.begin(), intrinsic.getType());
  llvm::Value* result =
      b.CreateIntrinsic(intrinsic.getIntrinsicID(), overloads, arguments);
  return is_of_halves ? b.CreateFPTrunc(result, intrinsic.getType()) : result;
}

}  // namespace

llvm::PreservedAnalyses WidenHalves::run(llvm::Function& function,
                                         llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::Instruction*, 8> widened;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (IsWidened(instruction)) widened.push_back(&instruction);
  }
  llvm::IRBuilder<> b(function.getContext());
  for (llvm::Instruction* instruction : widened) {
    b.SetInsertPoint(instruction);
    b.setFastMathFlags(llvm::isa<llvm::FPMathOperator>(instruction)
                           ? instruction->getFastMathFlags()
                           : llvm::FastMathFlags());
    instruction->replaceAllUsesWith(Widened(b, *instruction));
    instruction->eraseFromParent();
  }
  if (widened.empty()) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace lockstep::internal
