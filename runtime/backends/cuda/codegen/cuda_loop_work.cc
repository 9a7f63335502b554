#include "runtime/backends/cuda/codegen/cuda_loop_work.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

std::optional<CudaLoopWork> CudaLoopWork::Of(const KernelGraph& graph) {
  const Shape& shape = graph.outputs[0]->shape();
  for (const Value* output : graph.outputs) {
    if (output->shape().dims() != shape.dims()) return std::nullopt;
  }
  CudaLoopWork work = {
      graph, LoopSpace(shape.dims()), {}, shape.element_count(), {}, {}};
  std::vector<LinearIndex> uses;
  CudaLoads loads(graph);
  if (!RehearseLoops(graph, work.space, uses, [&](ElementEmitter& emitter) {
        loads.Record(emitter);
        work.EmitOutputs(emitter);
        emitter.Position(
            Flatten(work.space.index(), shape.dims(), work.space.loops()));
      })) {
    return std::nullopt;
  }
  std::vector<int64_t> order(static_cast<size_t>(work.space.loops()));
  std::iota(order.begin(), order.end(), int64_t{0});
  work.loops = MergeLoops(work.space.sizes(), order, uses);
  work.loads = loads.loads();
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    work.stores.push_back(
        {static_cast<int>(graph.inputs.size() + i),
         Flatten(work.space.index(), shape.dims(), work.space.loops()),
         graph.outputs[i]->shape().element_type()});
  }
  return work;
}

std::vector<int> CudaLoopWork::EmitOutputs(ElementEmitter& emitter) const {
  std::vector<int> scalars;
  for (const Value* output : graph.outputs) {
    scalars.push_back(emitter.Emit(output, space.index()));
  }
  return scalars;
}

int64_t CudaLoopWork::LinesOfElement() const {
  CudaKernelText text(graph);
  ElementEmitter emitter(text, graph, space);
  for (const MergedLoop& loop : loops) {
    emitter.set_variable(loop.last, text.NamedIndex("i"));
  }
  EmitOutputs(emitter);
  const std::string& lines = text.lines().text();
  return std::count(lines.begin(), lines.end(), '\n');
}

void LoadFromPacks(CudaKernelText& text, ElementEmitter& emitter,
                   const std::vector<CudaAccess>& loads,
                   std::function<std::string(size_t)> pack_of,
                   std::function<std::string(size_t)> lane_of) {
  emitter.set_loader([&text, &loads, pack_of = std::move(pack_of),
                      lane_of = std::move(lane_of)](
                         int buffer, const LinearIndex& offset,
                         bool) -> std::optional<int> {
    for (size_t i = 0; i < loads.size(); ++i) {
      if (loads[i].buffer != buffer || loads[i].offset != offset) continue;
      const std::string pack = pack_of(i);
      if (pack.empty()) return std::nullopt;
      return text.scalars().Add(
          loads[i].type,
          absl::StrCat("LoadElement(", pack, ".elements, ", lane_of(i), ")"));
    }
    return std::nullopt;
  });
}

}  // namespace lockstep::internal
