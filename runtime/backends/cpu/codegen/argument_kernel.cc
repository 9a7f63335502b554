#include "runtime/backends/cpu/codegen/argument_kernel.h"

#include <vector>

#include "runtime/backends/cpu/codegen/kernel_loops.h"
#include "runtime/backends/cpu/codegen/scalar_variables.h"
#include "runtime/kernels/argument_reduction.h"

namespace lockstep::internal {
namespace {

// Accumulators of a row. Element i of the row goes to accumulator i % kLanes.
constexpr int64_t kLanes = 64;

class ArgumentBuilder {
 public:
  ArgumentBuilder(const KernelGraph& graph, const Op& reduce,
                  const LoopSpace& space, const KernelSite& site)
      : graph_(graph),
        reduce_(reduce),
        space_(space),
        function_(site, graph),
        emitter_(function_, graph, space),
        scalars_(function_.scalars()),
        b_(function_.builder()) {}

  int64_t Build(const std::vector<MergedLoop>& rows) {
    const int64_t count = EmitRangeLoop(function_, emitter_, rows, [&] {
      Fill();
      const int64_t size = reduce_.operand(0)->shape().dims().back();
      const int64_t whole = size / kLanes * kLanes;
      function_.Loop(
          function_.Int(0), function_.Int(whole), kLanes, false,
          [&](llvm::Value* first) { Combine(first, function_.Int(kLanes)); });
      if (whole < size) {
        Combine(function_.Int(whole), function_.Int(size - whole));
      }
      Store(Fold());
    });
    function_.Finish();
    return count;
  }

 private:
  TensorIndex RowIndex() const {
    TensorIndex index = space_.index();
    index.pop_back();
    return index;
  }

  void Save(llvm::Value* lane, const std::vector<int>& pair) {
    for (size_t i = 0; i < 2; ++i) {
      llvm::Value* value = scalars_.Get(pair[i]).value;
      if (lanes_.size() <= i) {
        lanes_.push_back(function_.Scratch(value->getType(), kLanes));
      }
      function_.StoreScratch(lanes_[i], lane, value);
    }
  }
  std::vector<int> Load(llvm::Value* lane) {
    std::vector<int> pair;
    for (int i = 0; i < 2; ++i) {
      pair.push_back(scalars_.Add({reduce_.result(i)->shape().element_type(),
                                   function_.LoadScratch(lanes_[i], lane)}));
    }
    return pair;
  }

  void Fill() {
    const std::vector<int> init = {emitter_.Emit(reduce_.operand(2), {}),
                                   emitter_.Emit(reduce_.operand(3), {})};
    function_.Loop(function_.Int(0), function_.Int(kLanes), 1, true,
                   [&](llvm::Value* lane) { Save(lane, init); });
  }

  // The elements from `first` on, one for each of `count` lanes.
  void Combine(llvm::Value* first, llvm::Value* count) {
    function_.Loop(function_.Int(0), count, 1, true, [&](llvm::Value* lane) {
      emitter_.BeginScope();
      emitter_.set_variable(space_.loops() - 1, b_.CreateNSWAdd(first, lane));
      std::vector<int> arguments = Load(lane);
      for (int i = 0; i < 2; ++i) {
        arguments.push_back(emitter_.Emit(reduce_.operand(i), space_.index()));
      }
      Save(lane, emitter_.EmitRegion(reduce_.region(), arguments));
      emitter_.EndScope();
    });
  }

  // All lanes, two at a time: that with the lower index is the left argument.
  std::vector<int> Fold() {
    ScalarVariables folded(function_);
    folded.Set(Load(function_.Int(0)));
    function_.Loop(
        function_.Int(1), function_.Int(kLanes), 1, false,
        [&](llvm::Value* lane) {
          const std::vector<int> x = folded.Get();
          const std::vector<int> y = Load(lane);
          const int is_swapped =
              scalars_.Compare(ScalarComparison::kLt, false, y[1], x[1]);
          folded.Set(emitter_.EmitRegion(
              reduce_.region(), {scalars_.Select(is_swapped, y[0], x[0]),
                                 scalars_.Select(is_swapped, y[1], x[1]),
                                 scalars_.Select(is_swapped, x[0], y[0]),
                                 scalars_.Select(is_swapped, x[1], y[1])}));
        });
    return folded.Get();
  }

  void Store(const std::vector<int>& results) {
    const TensorIndex row = RowIndex();
    for (int i = 0; i < 2; ++i) {
      emitter_.Bind(reduce_.result(i), row, results[i]);
    }
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      const Shape& shape = graph_.outputs[i]->shape();
      function_.Store(
          static_cast<int>(graph_.inputs.size() + i), shape.element_type(),
          emitter_.Materialize(Flatten(row, shape.dims(), space_.loops())),
          emitter_.Emit(graph_.outputs[i], row));
    }
  }

  const KernelGraph& graph_;
  const Op& reduce_;
  const LoopSpace& space_;
  KernelFunction function_;
  LlvmElementEmitter emitter_;
  LlvmScalarBuilder& scalars_;
  llvm::IRBuilder<>& b_;
  std::vector<llvm::AllocaInst*> lanes_;
};

}  // namespace

int64_t BuildArgumentKernel(const KernelGraph& graph, const KernelSite& site) {
  const Op* reduce = MatchArgumentReduction(graph);
  if (reduce == nullptr) return 0;
  const Shape& full = reduce->operand(0)->shape();
  LoopSpace space(full.dims());
  std::vector<LinearIndex> uses;
  if (!RehearseLoops(graph, space, uses, [&](ElementEmitter& emitter) {
        TensorIndex row = space.index();
        for (int i = 0; i < 2; ++i) {
          const int element = emitter.Emit(reduce->operand(i), space.index());
          emitter.Emit(reduce->operand(2 + i), {});
          if (i == 0) row.pop_back();
          emitter.Bind(reduce->result(i), row, element);
        }
        for (const Value* output : graph.outputs) {
          emitter.Emit(output, row);
          emitter.Position(Flatten(row, output->shape().dims(), space.loops()));
        }
      })) {
    return 0;
  }
  // The rows must be one loop.
  if (space.sizes().back() != full.dims().back()) return 0;
  std::vector<int64_t> order;
  for (int64_t i = 0; i + 1 < space.loops(); ++i) order.push_back(i);
  return ArgumentBuilder(graph, *reduce, space, site)
      .Build(MergeLoops(space.sizes(), order, uses));
}

}  // namespace lockstep::internal
