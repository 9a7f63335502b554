#include "runtime/backends/cpu/loop_kernel.h"

#include <numeric>
#include <vector>

#include "runtime/backends/cpu/kernel_loops.h"

namespace lockstep {
namespace {

// The outer loops run as one until there are so many iterations: enough to
// give to threads.
constexpr int64_t kMinRange = 64;

void StoreOutputs(KernelFunction& function, ElementEmitter& emitter,
                  const KernelGraph& graph, const TensorIndex& index) {
  std::vector<int> scalars;
  for (const Value* output : graph.outputs) {
    scalars.push_back(emitter.Emit(output, index));
  }
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const Shape& shape = graph.outputs[i]->shape();
    const int64_t loops = static_cast<int64_t>(emitter.loop_sizes().size());
    function.Store(
        static_cast<int>(graph.inputs.size() + i), shape.element_type(),
        emitter.Materialize(Flatten(index, shape.dims(), loops)), scalars[i]);
  }
}

}  // namespace

int64_t BuildLoopKernel(const KernelGraph& graph, llvm::Module& module) {
  const Shape& shape = graph.outputs[0]->shape();
  for (const Value* output : graph.outputs) {
    if (output->shape().dims() != shape.dims()) return 0;
  }
  LoopSpace space(shape.dims());
  std::vector<LinearIndex> uses;
  if (!RehearseLoops(graph, space, uses, [&](ElementEmitter& emitter) {
        for (const Value* output : graph.outputs) {
          emitter.Emit(output, space.index());
        }
        emitter.Materialize(
            Flatten(space.index(), shape.dims(), space.loops()));
      })) {
    return 0;
  }
  std::vector<int64_t> order(space.loops());
  std::iota(order.begin(), order.end(), int64_t{0});
  const std::vector<MergedLoop> loops = MergeLoops(space.sizes(), order, uses);
  size_t outer = 0;
  for (int64_t range = 1; outer + 1 < loops.size() && range < kMinRange;) {
    range *= loops[outer++].size;
  }
  if (loops.size() == 1) outer = 1;

  KernelFunction function(module, graph);
  ElementEmitter emitter(function, graph, space);
  const TensorIndex index = space.index();
  const int64_t count = EmitRangeLoop(
      function, emitter, absl::MakeConstSpan(loops).first(outer), [&] {
        EmitLoops(function, emitter, absl::MakeConstSpan(loops).subspan(outer),
                  [&] { StoreOutputs(function, emitter, graph, index); });
      });
  function.Finish();
  return count;
}

}  // namespace lockstep
