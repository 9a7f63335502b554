#include "runtime/backends/cpu/merge_kernel.h"

#include <vector>

#include "runtime/backends/cpu/element_emitter.h"
#include "runtime/backends/cpu/step_buffers.h"

namespace lockstep {

int64_t BuildMergeKernel(const KernelGraph& graph, llvm::Module& module) {
  KernelFunction function(module, graph);
  const LoopSpace space(absl::Span<const int64_t>{});
  ElementEmitter emitter(function, graph, space);
  llvm::IRBuilder<>& b = function.builder();
  StepBuffers buffers(function, graph);
  llvm::Value* from = buffers.Address(0);
  llvm::Value* to = buffers.Address(1);
  llvm::Value* numbers = buffers.Address(2);
  llvm::Value* middle = buffers.Integer(numbers, 0);
  llvm::Value* lane = buffers.Integer(numbers, 1);
  llvm::Value* stride = buffers.Integer(numbers, 2);
  llvm::AllocaInst* left = function.Scratch(b.getInt64Ty(), 1);
  llvm::AllocaInst* right = function.Scratch(b.getInt64Ty(), 1);
  function.StoreScratch(left, nullptr, function.begin());
  function.StoreScratch(right, nullptr, middle);
  // The element that a run is at; any of it when it is used up.
  const auto position = [&](llvm::Value* at, llvm::Value* run_end) {
    llvm::Value* last = b.CreateNSWSub(run_end, function.Int(1));
    at = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, at, last);
    return b.CreateLoad(b.getInt32Ty(),
                        b.CreateInBoundsGEP(b.getInt32Ty(), from, {at}));
  };
  const auto offset = [&](llvm::Value* place) {
    llvm::Value* wide = b.CreateZExt(place, b.getInt64Ty());
    return b.CreateNSWAdd(lane, b.CreateNSWMul(wide, stride));
  };
  function.Loop(
      function.begin(), function.end(), 1, false, [&](llvm::Value* out) {
        llvm::Value* l = function.LoadScratch(left, nullptr);
        llvm::Value* r = function.LoadScratch(right, nullptr);
        llvm::Value* at_left = position(l, middle);
        llvm::Value* at_right = position(r, function.end());
        std::vector<int> arguments;
        for (size_t i = 0; i < graph.inputs.size(); ++i) {
          const ElementType type = graph.inputs[i]->shape().element_type();
          for (llvm::Value* at : {at_right, at_left}) {
            arguments.push_back(
                function.Load(static_cast<int>(i), type, offset(at)));
          }
        }
        const int goes_first = emitter.EmitRegion(*graph.body, arguments)[0];
        llvm::Value* takes_right =
            b.CreateAnd(b.CreateICmpSLT(r, function.end()),
                        b.CreateOr(b.CreateICmpSGE(l, middle),
                                   function.scalars().Get(goes_first).value));
        b.CreateStore(b.CreateSelect(takes_right, at_right, at_left),
                      b.CreateInBoundsGEP(b.getInt32Ty(), to, {out}));
        llvm::Value* step = b.CreateZExt(takes_right, b.getInt64Ty());
        function.StoreScratch(right, nullptr, b.CreateNSWAdd(r, step));
        function.StoreScratch(
            left, nullptr,
            b.CreateNSWAdd(l, b.CreateNSWSub(function.Int(1), step)));
      });
  function.Finish();
  return 1;
}

}  // namespace lockstep
