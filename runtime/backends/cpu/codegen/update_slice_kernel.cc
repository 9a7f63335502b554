#include "runtime/backends/cpu/codegen/update_slice_kernel.h"

#include <vector>

#include "runtime/kernels/scalar_support.h"

namespace lockstep::internal {
namespace {

class UpdateSliceBuilder {
 public:
  UpdateSliceBuilder(const KernelGraph& graph, const KernelSite& site)
      : update_(graph.inputs[0]->shape()),
        strides_(graph.outputs[0]->shape().Strides()),
        update_strides_(update_.Strides()),
        output_(static_cast<int>(graph.inputs.size())),
        function_(site, graph),
        b_(function_.builder()) {}

  void Build(const KernelGraph& graph) {
    llvm::Value* first = function_.Int(0);
    for (int64_t dim = 0; dim < update_.rank(); ++dim) {
      const int64_t room =
          graph.outputs[0]->shape().dim(dim) - update_.dim(dim);
      if (room == 0) continue;
      const int buffer = static_cast<int>(dim) + 1;
      const int start =
          function_.Load(buffer, graph.inputs[buffer]->shape().element_type(),
                         function_.Int(0));
      llvm::Value* place = function_.ValueOf(function_.Clamp(start, room));
      first = b_.CreateNSWAdd(
          first, b_.CreateNSWMul(place, function_.Int(strides_[dim])));
    }
    EmitDims(0, function_.Int(0), first);
    function_.Finish();
  }

 private:
  void EmitDims(int64_t dim, llvm::Value* source, llvm::Value* target) {
    if (dim == update_.rank()) {
      const ElementType type = update_.element_type();
      function_.Store(output_, type, target, function_.Load(0, type, source));
      return;
    }
    const bool is_last = dim == update_.rank() - 1;
    function_.Loop(function_.Int(0), function_.Int(update_.dim(dim)), 1,
                   is_last, [&](llvm::Value* i) {
                     const auto step = [&](llvm::Value* from, int64_t stride) {
                       return b_.CreateNSWAdd(
                           from, b_.CreateNSWMul(i, function_.Int(stride)));
                     };
                     EmitDims(dim + 1, step(source, update_strides_[dim]),
                              step(target, strides_[dim]));
                   });
  }

  const Shape& update_;
  const Dims strides_;
  const Dims update_strides_;
  const int output_;
  KernelFunction function_;
  llvm::IRBuilder<>& b_;
};

}  // namespace

int64_t BuildUpdateSliceKernel(const KernelGraph& graph,
                               const KernelSite& site) {
  if (!HasCodeFor(graph.inputs[0]->shape().element_type())) return 0;
  UpdateSliceBuilder(graph, site).Build(graph);
  return 1;
}

}  // namespace lockstep::internal
