#include "runtime/backends/cpu/codegen/loop_function.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "runtime/backends/cpu/codegen/kernel_builders.h"
#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/backends/cpu/codegen/kernel_function.h"
#include "runtime/executable/buffer_use.h"

namespace lockstep::internal {
namespace {

using Step = LoopProgram::Step;

// Scalar operations between two questions: less than a millisecond, as a rule.
constexpr int64_t kWorkPerQuestion = int64_t{1} << 20;
// What an iteration takes beside the work of its steps.
constexpr int64_t kIterationWork = 4;

class LoopFunctionBuilder {
 public:
  LoopFunctionBuilder(const LoopProgram& program, llvm::Module& module)
      : program_(program), module_(module), b_(module.getContext()) {}

  // False when a kernel has no code.
  bool Build() {
    MakeBody();
    PlaceBuffers();
    MoveCarried(/*is_in=*/true);
    work_left_ = b_.CreateAlloca(b_.getInt64Ty());
    b_.CreateStore(b_.getInt64(kWorkPerQuestion), work_left_);
    EmitStep(program_.loop);
    MoveCarried(/*is_in=*/false);
    b_.CreateBr(end_);
    b_.SetInsertPoint(end_);
    b_.CreateRetVoid();
    MakeEntry();
    return is_ok_;
  }

 private:
  llvm::BasicBlock* NewBlock(const char* name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, body_);
  }

  // The function that does the work: as its arguments the blocks are known not
  // to overlap.
  void MakeBody() {
    const size_t blocks = program_.blocks.size();
    const std::vector<llvm::Type*> arguments(blocks + 2, b_.getPtrTy());
    body_ = llvm::Function::Create(
        llvm::FunctionType::get(b_.getVoidTy(), arguments, false),
        llvm::GlobalValue::InternalLinkage, kLoopBodySymbol, module_);
    body_->setDoesNotThrow();
    body_->addFnAttr("prefer-vector-width", "512");
    body_->addFnAttr(llvm::Attribute::NoInline);
    for (size_t i = 0; i < blocks; ++i) {
      llvm::AttrBuilder attributes(module_.getContext());
      attributes.addAlignmentAttr(llvm::Align(kBufferAlignment));
      attributes.addDereferenceableAttr(
          static_cast<uint64_t>(program_.blocks[i].size));
      if (!program_.blocks[i].is_shared) {
        attributes.addAttribute(llvm::Attribute::NoAlias);
      }
      body_->addParamAttrs(static_cast<unsigned>(i), attributes);
    }
    context_ = body_->getArg(static_cast<unsigned>(blocks));
    callback_ = body_->getArg(static_cast<unsigned>(blocks) + 1);
    b_.SetInsertPoint(NewBlock("entry"));
    end_ = NewBlock("end");
  }

  // kernel(buffers, ..): calls the body with all of `buffers`.
  void MakeEntry() {
    llvm::Function* entry = llvm::Function::Create(
        llvm::FunctionType::get(
            b_.getVoidTy(), {b_.getPtrTy(), b_.getInt64Ty(), b_.getInt64Ty()},
            false),
        llvm::GlobalValue::ExternalLinkage, kKernelSymbol, module_);
    entry->setDoesNotThrow();
    b_.SetInsertPoint(
        llvm::BasicBlock::Create(module_.getContext(), "entry", entry));
    std::vector<llvm::Value*> arguments;
    for (size_t i = 0; i < program_.blocks.size() + 2; ++i) {
      arguments.push_back(b_.CreateLoad(
          b_.getPtrTy(),
          b_.CreateConstInBoundsGEP1_64(b_.getPtrTy(), entry->getArg(0), i)));
    }
    b_.CreateCall(body_, arguments);
    b_.CreateRetVoid();
  }

  llvm::Value* InBlock(const LoopProgram::Buffer& buffer) {
    return b_.CreateConstInBoundsGEP1_64(
        b_.getInt8Ty(), body_->getArg(static_cast<unsigned>(buffer.block)),
        static_cast<uint64_t>(buffer.offset));
  }
  llvm::Value* Local(const LoopProgram::Buffer& buffer) {
    llvm::AllocaInst* memory = b_.CreateAlloca(llvm::ArrayType::get(
        b_.getInt8Ty(), static_cast<uint64_t>(buffer.size)));
    memory->setAlignment(llvm::Align(kBufferAlignment));
    return memory;
  }
  llvm::Value* Constant(const std::string& bytes) {
    auto* data = llvm::ConstantDataArray::getString(module_.getContext(), bytes,
                                                    /*AddNull=*/false);
    auto* constant = new llvm::GlobalVariable(
        module_, data->getType(), /*isConstant=*/true,
        llvm::GlobalValue::PrivateLinkage, data, "constant");
    constant->setAlignment(llvm::Align(kBufferAlignment));
    return constant;
  }
  void PlaceBuffers() {
    for (const LoopProgram::Buffer& buffer : program_.buffers) {
      addresses_.push_back(!buffer.constant.empty() ? Constant(buffer.constant)
                           : buffer.is_local()      ? Local(buffer)
                                                    : InBlock(buffer));
    }
  }
  void Copy(llvm::Value* to, llvm::Value* from, int64_t size) {
    const llvm::Align align(kBufferAlignment);
    b_.CreateMemCpy(to, align, from, align, static_cast<uint64_t>(size));
  }
  void MoveCarried(bool is_in) {
    for (size_t i = 0; i < addresses_.size(); ++i) {
      const LoopProgram::Buffer& buffer = program_.buffers[i];
      if (!buffer.is_carried) continue;
      llvm::Value* block = InBlock(buffer);
      if (is_in) {
        Copy(addresses_[i], block, buffer.size);
      } else {
        Copy(block, addresses_[i], buffer.size);
      }
    }
  }

  void EmitSteps(const std::vector<Step>& steps) {
    for (const Step& step : steps) EmitStep(step);
  }
  void EmitStep(const Step& step) {
    switch (step.kind) {
      case Step::Kind::kKernel:
        return EmitKernel(step);
      case Step::Kind::kCopy:
        return Copy(addresses_[step.buffers[1]], addresses_[step.buffers[0]],
                    program_.buffers[step.buffers[0]].size);
      case Step::Kind::kWhile:
        return EmitWhile(step);
      case Step::Kind::kConditional:
        return EmitConditional(step);
      case Step::Kind::kCall:
        return EmitCallback(step.call);
    }
  }

  void EmitKernel(const Step& step) {
    const std::string symbol = absl::StrCat("part", part_count_++);
    const int64_t count = BuildPart(step.graph, module_, symbol);
    is_ok_ = is_ok_ && count > 0;
    if (!is_ok_) return;
    std::vector<llvm::Value*> arguments;
    for (int buffer : step.buffers) arguments.push_back(addresses_[buffer]);
    arguments.push_back(b_.getInt64(0));
    arguments.push_back(b_.getInt64(count));
    b_.CreateCall(module_.getFunction(symbol), arguments);
  }

  // The work of one run of the steps, without that of loops inside.
  static int64_t WorkOf(const std::vector<Step>& steps) {
    int64_t work = 0;
    for (const Step& step : steps) {
      work += step.work;
      if (step.kind != Step::Kind::kConditional) continue;
      for (const std::vector<Step>& branch : step.nested) {
        work += WorkOf(branch);
      }
    }
    return work;
  }

  void EmitWhile(const Step& step) {
    llvm::BasicBlock* header = NewBlock("while");
    llvm::BasicBlock* body = NewBlock("do");
    llvm::BasicBlock* after = NewBlock("done");
    b_.CreateBr(header);
    b_.SetInsertPoint(header);
    EmitSteps(step.nested[0]);
    b_.CreateCondBr(Predicate(step), body, after);
    b_.SetInsertPoint(body);
    EmitSteps(step.nested[1]);
    EmitQuestion(kIterationWork + WorkOf(step.nested[0]) +
                 WorkOf(step.nested[1]));
    b_.CreateBr(header);
    b_.SetInsertPoint(after);
  }
  llvm::Value* Predicate(const Step& step) {
    llvm::Value* byte =
        b_.CreateLoad(b_.getInt8Ty(), addresses_[step.buffers[0]]);
    return b_.CreateICmpNE(byte, b_.getInt8(0));
  }

  void EmitConditional(const Step& step) {
    const int64_t last = static_cast<int64_t>(step.nested.size()) - 1;
    llvm::BasicBlock* after = NewBlock("join");
    std::vector<llvm::BasicBlock*> branches;
    for (size_t i = 0; i < step.nested.size(); ++i) {
      branches.push_back(NewBlock("branch"));
    }
    if (program_.buffers[step.buffers[0]].size == 1) {
      b_.CreateCondBr(Predicate(step), branches[0], branches[1]);
    } else {
      llvm::Value* index =
          b_.CreateLoad(b_.getInt32Ty(), addresses_[step.buffers[0]]);
      llvm::SwitchInst* choice = b_.CreateSwitch(index, branches.back());
      for (int64_t i = 0; i < last; ++i) {
        choice->addCase(b_.getInt32(static_cast<uint32_t>(i)), branches[i]);
      }
    }
    for (size_t i = 0; i < branches.size(); ++i) {
      b_.SetInsertPoint(branches[i]);
      EmitSteps(step.nested[i]);
      b_.CreateBr(after);
    }
    b_.SetInsertPoint(after);
  }

  // Leaves the function when the answer is not 0.
  void EmitCallback(int32_t call) {
    llvm::CallInst* answer = b_.CreateCall(
        llvm::FunctionType::get(b_.getInt32Ty(),
                                {b_.getPtrTy(), b_.getInt32Ty()}, false),
        callback_, {context_, b_.getInt32(static_cast<uint32_t>(call))});
    answer->setDoesNotThrow();
    if (call == kAskToGoOn) {
      answer->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    }
    llvm::BasicBlock* go_on = NewBlock("go_on");
    b_.CreateCondBr(b_.CreateICmpEQ(answer, b_.getInt32(0)), go_on, end_);
    b_.SetInsertPoint(go_on);
  }
  // Asks to go on when enough work has been done since the last time.
  void EmitQuestion(int64_t work) {
    llvm::Value* left =
        b_.CreateNSWSub(b_.CreateLoad(b_.getInt64Ty(), work_left_),
                        b_.getInt64(static_cast<uint64_t>(work)));
    b_.CreateStore(left, work_left_);
    llvm::BasicBlock* ask = NewBlock("ask");
    llvm::BasicBlock* after = NewBlock("asked");
    llvm::BranchInst* branch =
        b_.CreateCondBr(b_.CreateICmpSLT(left, b_.getInt64(0)), ask, after);
    branch->setMetadata(
        llvm::LLVMContext::MD_prof,
        llvm::MDBuilder(module_.getContext()).createBranchWeights(1, 100000));
    b_.SetInsertPoint(ask);
    EmitCallback(kAskToGoOn);
    b_.CreateStore(b_.getInt64(kWorkPerQuestion), work_left_);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }

  const LoopProgram& program_;
  llvm::Module& module_;
  llvm::IRBuilder<> b_;
  llvm::Function* body_ = nullptr;
  llvm::Value* context_ = nullptr;
  llvm::Value* callback_ = nullptr;
  llvm::BasicBlock* end_ = nullptr;
  llvm::AllocaInst* work_left_ = nullptr;
  std::vector<llvm::Value*> addresses_;  // by buffer
  int part_count_ = 0;
  bool is_ok_ = true;
};

}  // namespace

int64_t BuildLoopFunction(const LoopProgram& loop, llvm::Module& module) {
  return LoopFunctionBuilder(loop, module).Build() ? 1 : 0;
}

}  // namespace lockstep::internal
