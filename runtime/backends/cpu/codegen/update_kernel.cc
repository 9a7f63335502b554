#include "runtime/backends/cpu/codegen/update_kernel.h"

#include <optional>
#include <vector>

#include "runtime/backends/cpu/codegen/llvm_element_emitter.h"
#include "runtime/backends/cpu/codegen/step_buffers.h"
#include "runtime/kernels/update_step.h"

namespace lockstep::internal {
namespace {

// Element `target` of the results = body(that, element `source` of the
// updates).
class Updates {
 public:
  Updates(KernelFunction& function, const KernelGraph& graph)
      : function_(function), graph_(graph), emitter_(function, graph, space_) {}

  void Emit(llvm::Value* target, llvm::Value* source) {
    const int count = static_cast<int>(graph_.inputs.size());
    const auto type = [&](int i) {
      return graph_.outputs[i]->shape().element_type();
    };
    std::vector<int> arguments;
    for (int i = 0; i < count; ++i) {
      arguments.push_back(function_.Load(count + i, type(i), target));
    }
    for (int i = 0; i < count; ++i) {
      arguments.push_back(function_.Load(i, type(i), source));
    }
    const std::vector<int> combined =
        emitter_.EmitRegion(*graph_.body, arguments);
    for (int i = 0; i < count; ++i) {
      function_.Store(count + i, type(i), target, combined[i]);
    }
  }

 private:
  KernelFunction& function_;
  const KernelGraph& graph_;
  const LoopSpace space_{absl::Span<const int64_t>{}};
  LlvmElementEmitter emitter_;
};

void EmitList(KernelFunction& function, StepBuffers& buffers, Updates& updates,
              bool has_runs) {
  llvm::IRBuilder<>& b = function.builder();
  llvm::Value* list = buffers.Address(0);
  function.Loop(
      function.begin(), function.end(), 1, false, [&](llvm::Value* i) {
        llvm::Value* entry = b.CreateNSWMul(i, function.Int(has_runs ? 3 : 2));
        const auto field = [&](int64_t at) {
          return buffers.IntegerAt(list,
                                   b.CreateNSWAdd(entry, function.Int(at)));
        };
        llvm::Value* target = field(0);
        llvm::Value* source = field(1);
        if (!has_runs) return updates.Emit(target, source);
        function.Loop(function.Int(0), field(2), 1, true, [&](llvm::Value* j) {
          updates.Emit(b.CreateNSWAdd(target, j), b.CreateNSWAdd(source, j));
        });
      });
}

void EmitRows(KernelFunction& function, StepBuffers& buffers, Updates& updates,
              const UpdateRows& rows) {
  llvm::IRBuilder<>& b = function.builder();
  llvm::Value* indices = buffers.Address(0);
  llvm::Value* range = buffers.Address(1);
  llvm::Value* low = buffers.Integer(range, 0);
  llvm::Value* size = b.CreateSub(buffers.Integer(range, 1), low);
  llvm::Value* first_index = buffers.Integer(range, 2);
  llvm::Value* first_source = buffers.Integer(range, 3);
  llvm::Value* first_target = buffers.Integer(range, 4);
  llvm::Type* type =
      b.getIntNTy(static_cast<unsigned>(8 * ByteSize(rows.index_type)));
  const auto number = [&](llvm::Value* index, int64_t offset) {
    llvm::Value* loaded = b.CreateLoad(
        type,
        b.CreateInBoundsGEP(type, indices,
                            {b.CreateNSWAdd(index, function.Int(offset))}));
    return IsSignedInteger(rows.index_type)
               ? b.CreateSExt(loaded, b.getInt64Ty())
               : b.CreateZExt(loaded, b.getInt64Ty());
  };
  function.Loop(
      function.begin(), function.end(), 1, false, [&](llvm::Value* i) {
        llvm::Value* index = b.CreateNSWAdd(
            first_index, b.CreateNSWMul(i, function.Int(rows.index_stride)));
        llvm::Value* is_inside = b.getTrue();
        llvm::Value* target = first_target;
        for (const UpdateRows::Component& component : rows.components) {
          llvm::Value* place = number(index, component.offset);
          const bool is_first = &component == &rows.components.front();
          is_inside = b.CreateAnd(
              is_inside,
              is_first ? b.CreateICmpULT(b.CreateSub(place, low), size)
                       : b.CreateICmpULT(place, function.Int(component.size)));
          target = b.CreateAdd(
              target, b.CreateMul(place, function.Int(component.stride)));
        }
        EmitIf(function, is_inside, [&] {
          llvm::Value* source = b.CreateNSWAdd(
              first_source, b.CreateNSWMul(i, function.Int(rows.row)));
          if (rows.row == 1) return updates.Emit(target, source);
          function.VectorLoop(rows.row, [&](llvm::Value* j) {
            updates.Emit(b.CreateNSWAdd(target, j), b.CreateNSWAdd(source, j));
          });
        });
      });
}

}  // namespace

int64_t BuildUpdateKernel(const KernelGraph& graph, llvm::Module& module) {
  std::optional<UpdateRows> rows;
  if (graph.variant == kUpdateRows) {
    rows = UpdateRowsOf(*graph.op);
    if (!rows.has_value()) return 0;
  }
  KernelFunction function(module, graph);
  Updates updates(function, graph);
  StepBuffers buffers(function, graph);
  if (rows.has_value()) {
    EmitRows(function, buffers, updates, *rows);
  } else {
    EmitList(function, buffers, updates, graph.variant == kUpdateRuns);
  }
  function.Finish();
  return 1;
}

}  // namespace lockstep::internal
