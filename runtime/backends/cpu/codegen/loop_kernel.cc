#include "runtime/backends/cpu/codegen/loop_kernel.h"

#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "runtime/backends/cpu/codegen/kernel_loops.h"

namespace lockstep::internal {
namespace {

// The outer loops run as one until there are so many iterations: enough to
// give to threads.
constexpr int64_t kMinRange = 64;
// Outputs that no cache would keep until they are read.
constexpr int64_t kMinNonTemporalBytes = int64_t{32} << 20;
// Beyond what the processor fetches by itself, which ends with the page.
constexpr int64_t kPrefetchedBytes = 4096;
// Long in the direction of reading, so that pages are not left at once.
constexpr int64_t kTile = 16;
constexpr int64_t kTileAcross = 64;

void StoreOutputs(KernelFunction& function, LlvmElementEmitter& emitter,
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

int64_t OutputBytes(const KernelGraph& graph) {
  int64_t bytes = 0;
  for (const Value* output : graph.outputs) {
    bytes += output->shape().byte_size();
  }
  return bytes;
}

bool CanStoreAroundCaches(const KernelGraph& graph) {
  for (const Value* output : graph.outputs) {
    if (IsComplex(output->shape().element_type())) return false;
  }
  for (size_t i = graph.inputs.size(); i < graph.alias_of.size(); ++i) {
    if (graph.alias_of[i] != static_cast<int>(i)) return false;
  }
  return graph.outputs.size() <= 4;
}

// The loop along which something is read element by element while the innermost
// loop jumps: such kernels go through tiles, so that what one reads of a cache
// line is used before the line is lost.
std::optional<size_t> LoopAcross(const std::vector<MergedLoop>& loops,
                                 const std::vector<LinearIndex>& uses) {
  if (loops.size() < 2 || loops.back().size < 16) return std::nullopt;
  for (const LinearIndex& use : uses) {
    if (std::abs(use.coefficients[loops.back().last]) < 8) continue;
    for (size_t i = 0; i + 1 < loops.size(); ++i) {
      if (std::abs(use.coefficients[loops[i].last]) == 1 &&
          loops[i].size >= 8) {
        return i;
      }
    }
  }
  return std::nullopt;
}

int64_t EmitTiled(KernelFunction& function, LlvmElementEmitter& emitter,
                  const std::vector<MergedLoop>& loops, size_t across,
                  const std::function<void()>& body) {
  llvm::IRBuilder<>& b = function.builder();
  const MergedLoop inner = loops.back();
  const MergedLoop outer = loops[across];
  std::vector<MergedLoop> range(loops.begin(), loops.end() - 1);
  range[across].size = (outer.size + kTileAcross - 1) / kTileAcross;
  const auto limit = [&](llvm::Value* first, int64_t tile, int64_t size) {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                   b.CreateNSWAdd(first, function.Int(tile)),
                                   function.Int(size));
  };
  return EmitRangeLoop(function, emitter, range, [&] {
    llvm::Value* first =
        b.CreateNSWMul(emitter.variable(outer.last), function.Int(kTileAcross));
    llvm::Value* last = limit(first, kTileAcross, outer.size);
    function.Loop(function.Int(0), function.Int(inner.size), kTile, true,
                  [&](llvm::Value* inner_first) {
                    llvm::Value* inner_last =
                        limit(inner_first, kTile, inner.size);
                    function.Loop(first, last, 1, true, [&](llvm::Value* i) {
                      emitter.set_variable(outer.last, i);
                      function.Loop(inner_first, inner_last, 1, true,
                                    [&](llvm::Value* j) {
                                      emitter.BeginScope();
                                      emitter.set_variable(inner.last, j);
                                      body();
                                      emitter.EndScope();
                                    });
                    });
                  });
  });
}

int64_t EmitNest(KernelFunction& function, LlvmElementEmitter& emitter,
                 const std::vector<MergedLoop>& loops,
                 const std::function<void()>& body) {
  size_t outer = 0;
  for (int64_t range = 1; outer + 1 < loops.size() && range < kMinRange;) {
    range *= loops[outer++].size;
  }
  if (loops.size() == 1) outer = 1;
  return EmitRangeLoop(
      function, emitter, absl::MakeConstSpan(loops).first(outer), [&] {
        EmitLoops(function, emitter, absl::MakeConstSpan(loops).subspan(outer),
                  body);
      });
}

}  // namespace

int64_t BuildLoopKernel(const KernelGraph& graph, const KernelSite& site) {
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
        emitter.Position(Flatten(space.index(), shape.dims(), space.loops()));
      })) {
    return 0;
  }
  std::vector<int64_t> order(space.loops());
  std::iota(order.begin(), order.end(), int64_t{0});
  const std::vector<MergedLoop> loops = MergeLoops(space.sizes(), order, uses);
  KernelFunction function(site, graph);
  LlvmElementEmitter emitter(function, graph, space);
  const TensorIndex index = space.index();
  const auto store = [&] { StoreOutputs(function, emitter, graph, index); };
  int64_t count;
  if (const std::optional<size_t> across = LoopAcross(loops, uses)) {
    count = EmitTiled(function, emitter, loops, *across, store);
  } else if (loops.size() == 1 && OutputBytes(graph) >= kMinNonTemporalBytes &&
             CanStoreAroundCaches(graph)) {
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      if (graph.inputs[i]->shape().dims() != shape.dims()) continue;
      function.Prefetch(static_cast<int>(i), kPrefetchedBytes);
    }
    std::vector<KernelFunction::NonTemporalStores> outputs;
    for (size_t i = 0; i < graph.outputs.size(); ++i) {
      outputs.push_back({static_cast<int>(graph.inputs.size() + i),
                         graph.outputs[i]->shape().element_type(),
                         function.Int(0)});
    }
    function.NonTemporalLoop(function.begin(), function.end(), outputs,
                             [&](llvm::Value* variable) {
                               emitter.BeginScope();
                               emitter.set_variable(loops[0].last, variable);
                               store();
                               emitter.EndScope();
                             });
    count = loops[0].size;
  } else {
    count = EmitNest(function, emitter, loops, store);
  }
  function.Finish();
  return count;
}

}  // namespace lockstep::internal
