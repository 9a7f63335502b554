#include "runtime/backends/cpu/codegen/prefetch.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace lockstep::internal {
namespace {

// Rows (access group, distance in bytes).
constexpr char kGroups[] = "lockstep.prefetch";
// Of llvm.prefetch: a read, into the second-level cache, of data.
constexpr int kRead = 0;
constexpr int kSecondLevel = 2;
constexpr int kData = 1;

int64_t DistanceOf(const llvm::MDNode& row) {
  return llvm::mdconst::extract<llvm::ConstantInt>(row.getOperand(1))
      ->getSExtValue();
}

}  // namespace

llvm::MDNode* PrefetchGroup(llvm::Module& module, int64_t bytes) {
  llvm::LLVMContext& context = module.getContext();
  llvm::NamedMDNode* groups = module.getOrInsertNamedMetadata(kGroups);
  for (const llvm::MDNode* row : groups->operands()) {
    if (DistanceOf(*row) == bytes) {
      return llvm::cast<llvm::MDNode>(row->getOperand(0));
    }
  }
  llvm::MDNode* group = llvm::MDNode::getDistinct(context, {});
  groups->addOperand(llvm::MDNode::get(
      context, {group, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                           llvm::Type::getInt64Ty(context), bytes))}));
  return group;
}

void InsertPrefetches(llvm::Module& module) {
  llvm::NamedMDNode* groups = module.getNamedMetadata(kGroups);
  if (groups == nullptr) return;
  llvm::DenseMap<const llvm::Metadata*, int64_t> distances;
  for (const llvm::MDNode* row : groups->operands()) {
    distances[row->getOperand(0)] = DistanceOf(*row);
  }
  llvm::IRBuilder<> b(module.getContext());
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load == nullptr || !load->getType()->isVectorTy()) continue;
      const llvm::MDNode* of_load =
          load->getMetadata(llvm::LLVMContext::MD_access_group);
      if (of_load == nullptr) continue;
      for (const llvm::MDOperand& group : of_load->operands()) {
        auto it = distances.find(group.get());
        if (it == distances.end()) continue;
        b.SetInsertPoint(load);
        llvm::Value* ahead =
            b.CreateGEP(b.getInt8Ty(), load->getPointerOperand(),
                        {b.getInt64(static_cast<uint64_t>(it->second))});
        b.CreateIntrinsic(llvm::Intrinsic::prefetch, {ahead->getType()},
                          {ahead, b.getInt32(kRead), b.getInt32(kSecondLevel),
                           b.getInt32(kData)});
      }
    }
  }
  module.eraseNamedMetadata(groups);
}

}  // namespace lockstep::internal
