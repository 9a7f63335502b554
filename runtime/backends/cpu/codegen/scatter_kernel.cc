#include "runtime/backends/cpu/codegen/scatter_kernel.h"

#include <utility>
#include <vector>

#include "runtime/backends/cpu/codegen/llvm_element_emitter.h"
#include "runtime/backends/cpu/codegen/step_buffers.h"
#include "runtime/kernels/scalar_support.h"
#include "runtime/ops/geometry/indexed_windows.h"

namespace lockstep::internal {
namespace {

// Buffers of the graph.
constexpr int kIndices = 0;
constexpr int kUpdates = 1;
constexpr int kResult = 2;

class ScatterBuilder {
 public:
  ScatterBuilder(const KernelGraph& graph, IndexedWindows windows,
                 const KernelSite& site)
      : graph_(graph),
        windows_(std::move(windows)),
        indices_(graph.inputs[kIndices]->shape()),
        updates_(graph.inputs[kUpdates]->shape()),
        result_(graph.outputs[0]->shape()),
        function_(site, graph),
        b_(function_.builder()),
        place_(result_.rank()) {}

  void Build() {
    EmitDims(0, function_.Int(0), function_.Int(0));
    function_.Finish();
  }

 private:
  llvm::Value* Step(llvm::Value* from, llvm::Value* i, int64_t stride) {
    return b_.CreateNSWAdd(from, b_.CreateNSWMul(i, function_.Int(stride)));
  }

  // `source` and `index`: where in the updates and in the indices.
  void EmitDims(int64_t dim, llvm::Value* source, llvm::Value* index) {
    if (dim == updates_.rank()) return EmitUpdate(source, index);
    const WindowsDim from =
        windows_.SourceOf(dim, result_.rank(), updates_.rank());
    const auto body = [&](llvm::Value* i) {
      if (from.operand_dim >= 0) place_[from.operand_dim] = i;
      EmitDims(dim + 1, Step(source, i, updates_.Strides()[dim]),
               from.indices_dim < 0
                   ? index
                   : Step(index, i, indices_.Strides()[from.indices_dim]));
    };
    if (updates_.dim(dim) == 1) return body(function_.Int(0));
    function_.Loop(function_.Int(0), function_.Int(updates_.dim(dim)), 1,
                   /*is_parallel=*/false, body);
  }

  // The component of an index, as 64 bits: large where it is outside any
  // result.
  llvm::Value* Component(int64_t k, llvm::Value* index) {
    const ElementType type = indices_.element_type();
    const bool is_vector = windows_.index_vector_dim < indices_.rank();
    const int64_t step =
        is_vector ? indices_.Strides()[windows_.index_vector_dim] : 0;
    llvm::Value* value =
        function_.scalars()
            .Get(
                function_.Load(kIndices, type,
                               b_.CreateNSWAdd(index, function_.Int(k * step))))
            .value;
    if (IsSignedInteger(type)) return b_.CreateSExt(value, b_.getInt64Ty());
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                    b_.CreateZExt(value, b_.getInt64Ty()),
                                    function_.Int(int64_t{1} << 62));
  }

  void EmitUpdate(llvm::Value* source, llvm::Value* index) {
    llvm::Value* is_inside = b_.getTrue();
    llvm::Value* target = function_.Int(0);
    std::vector<llvm::Value*> place = place_;
    for (size_t k = 0; k < windows_.index_map.size(); ++k) {
      const int64_t dim = windows_.index_map[k];
      llvm::Value* start = Component(static_cast<int64_t>(k), index);
      llvm::Value* size = function_.Int(result_.dim(dim));
      if (place[dim] == nullptr) {
        place[dim] = start;
      } else {
        // Looked at before anything is added, so that nothing wraps.
        is_inside = b_.CreateAnd(is_inside, b_.CreateICmpSLT(start, size));
        is_inside = b_.CreateAnd(is_inside,
                                 b_.CreateICmpSGT(start, b_.CreateNeg(size)));
        place[dim] = b_.CreateAdd(place[dim], start);
      }
      is_inside = b_.CreateAnd(is_inside, b_.CreateICmpULT(place[dim], size));
    }
    for (int64_t dim = 0; dim < result_.rank(); ++dim) {
      if (place[dim] == nullptr) continue;
      target = b_.CreateAdd(
          target,
          b_.CreateMul(place[dim], function_.Int(result_.Strides()[dim])));
    }
    EmitIf(function_, is_inside, [&] {
      const ElementType type = result_.element_type();
      const LoopSpace space(absl::Span<const int64_t>{});
      LlvmElementEmitter emitter(function_, graph_, space);
      const std::vector<int> combined = emitter.EmitRegion(
          graph_.op->region(), {function_.Load(kResult, type, target),
                                function_.Load(kUpdates, type, source)});
      function_.Store(kResult, type, target, combined[0]);
    });
  }

  const KernelGraph& graph_;
  const IndexedWindows windows_;
  const Shape& indices_;
  const Shape& updates_;
  const Shape& result_;
  KernelFunction function_;
  llvm::IRBuilder<>& b_;
  // The indices of the result so far, null where nothing moves along a dim.
  std::vector<llvm::Value*> place_;
};

}  // namespace

int64_t BuildScatterKernel(const KernelGraph& graph, const KernelSite& site) {
  const Op& op = *graph.op;
  const Shape& result = graph.outputs[0]->shape();
  if (op.result_count() != 1 || !CanEmitScalarRegion(op.region()) ||
      !HasCodeFor(result.element_type()) ||
      !HasCodeFor(graph.inputs[kIndices]->shape().element_type()) ||
      op.operand(0)->type() != op.result(0)->type() ||
      op.operand(2)->shape().element_type() != result.element_type() ||
      op.region().arguments()[0]->shape().element_type() !=
          result.element_type()) {
    return 0;
  }
  auto windows = ScatterWindowsOf(op);
  if (!windows.ok()) return 0;
  ScatterBuilder(graph, *std::move(windows), site).Build();
  return 1;
}

}  // namespace lockstep::internal
