#include "runtime/backends/cpu/codegen/scan_kernel.h"

#include <cstddef>

#include "runtime/backends/cpu/codegen/llvm_element_emitter.h"
#include "runtime/backends/cpu/codegen/scalar_variables.h"
#include "runtime/backends/cpu/codegen/step_buffers.h"
#include "runtime/ir/op_def.h"
#include "runtime/kernels/scan_step.h"
#include "runtime/ops/reduction_body.h"

namespace lockstep::internal {
namespace {

// Columns whose accumulators stand side by side.
constexpr int64_t kBlock = 1024;

enum ScanBuffer { kFrom, kOther, kTo };

class ScanBuilder {
 public:
  ScanBuilder(const KernelGraph& graph, llvm::Module& module)
      : function_(module, graph),
        b_(function_.builder()),
        buffers_(function_, graph),
        space_(absl::Span<const int64_t>{}),
        emitter_(function_, graph, space_),
        body_(*graph.body),
        op_(SingleOpBody(body_)),
        type_(graph.outputs[0]->shape().element_type()),
        accumulator_type_(op_ != nullptr && (type_ == ElementType::kF16 ||
                                             type_ == ElementType::kBF16)
                              ? ElementType::kF32
                              : type_),
        shape_(buffers_.Address(0)) {}

  int64_t Build(int variant) {
    llvm::Value* rows = Number(offsetof(ScanShape, rows));
    llvm::Value* columns = Number(offsetof(ScanShape, columns));
    const Walk from = {Number(offsetof(ScanShape, from)),
                       Number(offsetof(ScanShape, from_row)),
                       Number(offsetof(ScanShape, from_line))};
    const Walk other = {Number(offsetof(ScanShape, other)),
                        Number(offsetof(ScanShape, other_row)),
                        Number(offsetof(ScanShape, other_line))};
    const Walk to = {Number(offsetof(ScanShape, to)),
                     Number(offsetof(ScanShape, to_row)),
                     Number(offsetof(ScanShape, to_line))};
    function_.Loop(
        function_.begin(), function_.end(), 1, false, [&](llvm::Value* line) {
          const Walk from_line = from.At(b_, line);
          const Walk to_line = to.At(b_, line);
          if (variant == kCombineRows) {
            EmitCombine(rows, columns, from_line, other.At(b_, line), to_line);
            return;
          }
          EmitIf(function_, b_.CreateICmpEQ(columns, function_.Int(1)),
                 [&] { EmitColumn(rows, from_line, to_line); });
          EmitIf(function_, b_.CreateICmpSGT(columns, function_.Int(1)),
                 [&] { EmitBlocks(rows, columns, from_line, to_line); });
        });
    function_.Finish();
    return 1;
  }

 private:
  // The rows of a line, one after the other.
  struct Walk {
    llvm::Value* first;
    llvm::Value* row;
    llvm::Value* line;

    Walk At(llvm::IRBuilder<>& b, llvm::Value* index) const {
      return {b.CreateNSWAdd(first, b.CreateNSWMul(index, line)), row, line};
    }
    llvm::Value* Row(llvm::IRBuilder<>& b, llvm::Value* index) const {
      return b.CreateNSWAdd(first, b.CreateNSWMul(index, row));
    }
  };

  llvm::Value* Number(size_t offset) {
    return buffers_.Integer(shape_, static_cast<int64_t>(offset / 8));
  }
  int Load(int buffer, llvm::Value* offset) {
    return function_.scalars().Convert(accumulator_type_,
                                       function_.Load(buffer, type_, offset));
  }
  void Store(llvm::Value* offset, int scalar) {
    function_.Store(kTo, type_, offset,
                    function_.scalars().Convert(type_, scalar));
  }
  int Combine(int x, int y) {
    if (op_ == nullptr) return emitter_.EmitRegion(body_, {x, y})[0];
    return op_->def()->emit()(function_.scalars(), *op_, {x, y});
  }

  void EmitColumn(llvm::Value* rows, const Walk& from, const Walk& to) {
    ScalarVariables accumulator(function_);
    accumulator.Set({Load(kOther, function_.Int(0))});
    function_.Loop(function_.Int(0), rows, 1, false, [&](llvm::Value* i) {
      const int next =
          Combine(accumulator.Get()[0], Load(kFrom, from.Row(b_, i)));
      accumulator.Set({next});
      Store(to.Row(b_, i), next);
    });
  }

  void EmitBlocks(llvm::Value* rows, llvm::Value* columns, const Walk& from,
                  const Walk& to) {
    LlvmScalarBuilder& scalars = function_.scalars();
    const ScalarValue init = scalars.Get(Load(kOther, function_.Int(0)));
    llvm::AllocaInst* real = function_.Scratch(init.value->getType(), kBlock);
    llvm::AllocaInst* imaginary =
        init.imaginary == nullptr
            ? nullptr
            : function_.Scratch(init.value->getType(), kBlock);
    const auto save = [&](llvm::Value* j, const ScalarValue& value) {
      function_.StoreScratch(real, j, value.value);
      if (imaginary == nullptr) return;
      function_.StoreScratch(imaginary, j, value.imaginary);
    };
    function_.Loop(
        function_.Int(0), columns, kBlock, false, [&](llvm::Value* first) {
          llvm::Value* width = b_.CreateBinaryIntrinsic(
              llvm::Intrinsic::smin, b_.CreateNSWSub(columns, first),
              function_.Int(kBlock));
          function_.Loop(function_.Int(0), width, 1, true,
                         [&](llvm::Value* j) { save(j, init); });
          function_.Loop(function_.Int(0), rows, 1, false, [&](llvm::Value* i) {
            llvm::Value* from_row = b_.CreateNSWAdd(from.Row(b_, i), first);
            llvm::Value* to_row = b_.CreateNSWAdd(to.Row(b_, i), first);
            function_.Loop(
                function_.Int(0), width, 1, true, [&](llvm::Value* j) {
                  ScalarValue accumulator = {accumulator_type_,
                                             function_.LoadScratch(real, j)};
                  if (imaginary != nullptr) {
                    accumulator.imaginary = function_.LoadScratch(imaginary, j);
                  }
                  const int next =
                      Combine(scalars.Add(accumulator),
                              Load(kFrom, b_.CreateNSWAdd(from_row, j)));
                  save(j, scalars.Get(next));
                  Store(b_.CreateNSWAdd(to_row, j), next);
                });
          });
        });
  }

  void EmitCombine(llvm::Value* rows, llvm::Value* columns, const Walk& from,
                   const Walk& other, const Walk& to) {
    function_.Loop(function_.Int(0), rows, 1, true, [&](llvm::Value* i) {
      llvm::Value* from_row = from.Row(b_, i);
      llvm::Value* other_row = other.Row(b_, i);
      llvm::Value* to_row = to.Row(b_, i);
      function_.Loop(function_.Int(0), columns, 1, true, [&](llvm::Value* j) {
        Store(b_.CreateNSWAdd(to_row, j),
              Combine(Load(kFrom, b_.CreateNSWAdd(from_row, j)),
                      Load(kOther, b_.CreateNSWAdd(other_row, j))));
      });
    });
  }

  KernelFunction function_;
  llvm::IRBuilder<>& b_;
  StepBuffers buffers_;
  const LoopSpace space_;
  LlvmElementEmitter emitter_;
  const Region& body_;
  const Op* const op_;  // null when the body is several ops
  const ElementType type_;
  const ElementType accumulator_type_;
  llvm::Value* const shape_;
};

}  // namespace

int64_t BuildScanKernel(const KernelGraph& graph, llvm::Module& module) {
  return ScanBuilder(graph, module).Build(graph.variant);
}

}  // namespace lockstep::internal
