#include "runtime/backends/cpu/codegen/merge_kernel.h"

#include <vector>

#include "runtime/backends/cpu/codegen/llvm_element_emitter.h"
#include "runtime/backends/cpu/codegen/step_buffers.h"
#include "runtime/kernels/merge_step.h"

namespace lockstep::internal {
namespace {

class MergeBuilder {
 public:
  MergeBuilder(const KernelGraph& graph, llvm::Module& module)
      : graph_(graph),
        space_(absl::Span<const int64_t>{}),
        function_(module, graph),
        emitter_(function_, graph, space_),
        b_(function_.builder()) {
    StepBuffers buffers(function_, graph);
    from_ = buffers.Address(0);
    to_ = buffers.Address(1);
    llvm::Value* numbers = buffers.Address(2);
    middle_ = buffers.Integer(numbers, 0);
    lane_ = buffers.Integer(numbers, 1);
    stride_ = buffers.Integer(numbers, 2);
    distance_ = buffers.Integer(numbers, 3);
  }

  int64_t Build() {
    llvm::Value* is_one = b_.CreateICmpEQ(distance_, function_.Int(0));
    EmitIf(function_, is_one, [&] { EmitMerges(1); });
    EmitIf(function_, b_.CreateNot(is_one), [&] { EmitMerges(kMergesAtOnce); });
    function_.Finish();
    return 1;
  }

 private:
  // A pair of runs, and how far each of them is used up.
  struct Merge {
    llvm::Value* offset;  // of its places from those of the first pair
    llvm::Value* middle;
    llvm::Value* end;
    llvm::AllocaInst* left;
    llvm::AllocaInst* right;
  };

  void EmitMerges(int count) {
    std::vector<Merge> merges;
    for (int i = 0; i < count; ++i) {
      llvm::Value* offset = b_.CreateNSWMul(distance_, function_.Int(i));
      Merge merge = {offset, b_.CreateNSWAdd(middle_, offset),
                     b_.CreateNSWAdd(function_.end(), offset),
                     function_.Scratch(b_.getInt64Ty(), 1),
                     function_.Scratch(b_.getInt64Ty(), 1)};
      function_.StoreScratch(merge.left, nullptr,
                             b_.CreateNSWAdd(function_.begin(), offset));
      function_.StoreScratch(merge.right, nullptr, merge.middle);
      merges.push_back(merge);
    }
    function_.Loop(function_.begin(), function_.end(), 1, false,
                   [&](llvm::Value* out) {
                     for (const Merge& merge : merges) Step(merge, out);
                   });
  }

  // The position that a run is at; any of it when it is used up.
  llvm::Value* Position(llvm::Value* at, llvm::Value* run_end) {
    llvm::Value* last = b_.CreateNSWSub(run_end, function_.Int(1));
    at = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, at, last);
    return b_.CreateLoad(b_.getInt32Ty(),
                         b_.CreateInBoundsGEP(b_.getInt32Ty(), from_, {at}));
  }

  void Step(const Merge& merge, llvm::Value* out) {
    llvm::Value* left = function_.LoadScratch(merge.left, nullptr);
    llvm::Value* right = function_.LoadScratch(merge.right, nullptr);
    llvm::Value* at_left = Position(left, merge.middle);
    llvm::Value* at_right = Position(right, merge.end);
    std::vector<int> arguments;
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      for (llvm::Value* at : {at_right, at_left}) {
        llvm::Value* wide = b_.CreateZExt(at, b_.getInt64Ty());
        arguments.push_back(function_.Load(
            static_cast<int>(i), graph_.inputs[i]->shape().element_type(),
            b_.CreateNSWAdd(lane_, b_.CreateNSWMul(wide, stride_))));
      }
    }
    const int goes_first = emitter_.EmitRegion(*graph_.body, arguments)[0];
    llvm::Value* takes_right =
        b_.CreateAnd(b_.CreateICmpSLT(right, merge.end),
                     b_.CreateOr(b_.CreateICmpSGE(left, merge.middle),
                                 function_.scalars().Get(goes_first).value));
    b_.CreateStore(b_.CreateSelect(takes_right, at_right, at_left),
                   b_.CreateInBoundsGEP(b_.getInt32Ty(), to_,
                                        {b_.CreateNSWAdd(out, merge.offset)}));
    llvm::Value* step = b_.CreateZExt(takes_right, b_.getInt64Ty());
    function_.StoreScratch(merge.right, nullptr, b_.CreateNSWAdd(right, step));
    function_.StoreScratch(
        merge.left, nullptr,
        b_.CreateNSWAdd(left, b_.CreateNSWSub(function_.Int(1), step)));
  }

  const KernelGraph& graph_;
  const LoopSpace space_;
  KernelFunction function_;
  LlvmElementEmitter emitter_;
  llvm::IRBuilder<>& b_;
  llvm::Value *from_, *to_, *middle_, *lane_, *stride_, *distance_;
};

}  // namespace

int64_t BuildMergeKernel(const KernelGraph& graph, llvm::Module& module) {
  return MergeBuilder(graph, module).Build();
}

}  // namespace lockstep::internal
