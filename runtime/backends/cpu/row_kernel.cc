#include "runtime/backends/cpu/row_kernel.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/backends/cpu/kernel_loops.h"
#include "runtime/backends/cpu/reduce_body.h"

namespace lockstep {
namespace {

// How many reductions follow from each other up to a value.
class ReductionDepth {
 public:
  explicit ReductionDepth(const KernelGraph& graph) {
    for (const Value* input : graph.inputs) depths_[input] = 0;
  }

  int Of(const Value* value) {
    auto it = depths_.find(value);
    if (it != depths_.end()) return it->second;
    const Op* op = value->defining_op();
    int depth = 0;
    for (const Value* operand : op->operands()) {
      depth = std::max(depth, Of(operand));
    }
    if (op->name() == "stablehlo.reduce") {
      ++depth;
      if (std::find(reduces_.begin(), reduces_.end(), op) == reduces_.end()) {
        reduces_.push_back(op);
      }
    }
    depths_[value] = depth;
    return depth;
  }
  // The reductions met so far, each after those that it follows from.
  const std::vector<const Op*>& reduces() const { return reduces_; }

 private:
  absl::flat_hash_map<const Value*, int> depths_;
  std::vector<const Op*> reduces_;
};

class RowKernelBuilder {
 public:
  explicit RowKernelBuilder(const KernelGraph& graph)
      : graph_(graph), depth_(graph) {
    for (const Value* output : graph.outputs) depth_.Of(output);
    for (const Op* op : depth_.reduces()) reduces_.emplace_back(*op);
    const Op& first = *depth_.reduces()[0];
    full_ = first.operand(0)->shape();
    kept_ = first.result()->shape();
    is_reduced_.resize(full_.rank(), false);
    const std::vector<int64_t> reduced = *first.IntegersAttribute("dimensions");
    for (int64_t dim : reduced) is_reduced_[dim] = true;
  }

  int64_t Build(llvm::Module& module) {
    for (const Value* output : graph_.outputs) {
      if (!IsFull(output) && output->shape().dims() != kept_.dims()) return 0;
    }
    LoopSpace space(full_.dims());
    std::vector<LinearIndex> uses;
    if (!RehearseLoops(graph_, space, uses, [&](ElementEmitter& emitter) {
          Rehearse(space, emitter);
        })) {
      return 0;
    }
    std::vector<int64_t> kept_order, reduced_order;
    for (int64_t i = 0; i < space.loops(); ++i) {
      (is_reduced_[space.dim_of(i)] ? reduced_order : kept_order).push_back(i);
    }
    kept_loops_ = MergeLoops(space.sizes(), kept_order, uses);
    reduced_loops_ = MergeLoops(space.sizes(), reduced_order, uses);

    KernelFunction function(module, graph_);
    ElementEmitter emitter(function, graph_, space);
    const int64_t count = EmitRangeLoop(function, emitter, kept_loops_, [&] {
      EmitRow(function, emitter, space.index());
    });
    function.Finish();
    return count;
  }

 private:
  bool IsFull(const Value* value) const {
    return value->shape().dims() == full_.dims();
  }
  TensorIndex KeptIndex(const TensorIndex& full) const {
    TensorIndex kept;
    for (size_t i = 0; i < full.size(); ++i) {
      if (!is_reduced_[i]) kept.push_back(full[i]);
    }
    return kept;
  }

  void Rehearse(const LoopSpace& space, ElementEmitter& emitter) {
    const TensorIndex full = space.index();
    const TensorIndex kept = KeptIndex(full);
    for (const ReduceBody& reduce : reduces_) {
      const Op& op = reduce.op();
      for (int i = 0; i < reduce.count(); ++i) {
        const int element = emitter.Emit(op.operand(i), full);
        emitter.Emit(op.operand(reduce.count() + i), {});
        emitter.Bind(op.result(i), kept, element);
      }
    }
    for (const Value* output : graph_.outputs) {
      const TensorIndex& index = IsFull(output) ? full : kept;
      emitter.Emit(output, index);
      emitter.Materialize(
          Flatten(index, output->shape().dims(), space.loops()));
    }
  }

  void EmitRow(KernelFunction& function, ElementEmitter& emitter,
               const TensorIndex& full) {
    int passes = 0;
    for (const ReduceBody& reduce : reduces_) {
      passes = std::max(passes, depth_.Of(reduce.op().result()));
    }
    for (int pass = 1; pass <= passes; ++pass) {
      EmitPass(function, emitter, full, pass);
    }
    Store(function, emitter, KeptIndex(full), /*is_full=*/false);
    if (std::any_of(graph_.outputs.begin(), graph_.outputs.end(),
                    [&](const Value* output) { return IsFull(output); })) {
      EmitLoops(function, emitter, reduced_loops_,
                [&] { Store(function, emitter, full, /*is_full=*/true); });
    }
  }

  // One walk over the row for all reductions of one depth.
  void EmitPass(KernelFunction& function, ElementEmitter& emitter,
                const TensorIndex& full, int pass) {
    struct Running {
      const ReduceBody* reduce;
      std::vector<llvm::AllocaInst*> accumulators;
      std::vector<llvm::AllocaInst*> imaginary;
    };
    LlvmScalarBuilder& scalars = function.scalars();
    const auto save = [&](Running& running, const std::vector<int>& values) {
      for (size_t i = 0; i < values.size(); ++i) {
        const ScalarValue value = scalars.Get(values[i]);
        if (running.accumulators.size() <= i) {
          running.accumulators.push_back(
              function.Scratch(value.value->getType(), 1));
          running.imaginary.push_back(
              value.imaginary == nullptr
                  ? nullptr
                  : function.Scratch(value.value->getType(), 1));
        }
        function.StoreScratch(running.accumulators[i], nullptr, value.value);
        if (value.imaginary == nullptr) continue;
        function.StoreScratch(running.imaginary[i], nullptr, value.imaginary);
      }
    };
    const auto load = [&](const Running& running) {
      std::vector<int> values;
      for (int i = 0; i < running.reduce->count(); ++i) {
        ScalarValue value = {
            running.reduce->accumulator_type(i),
            function.LoadScratch(running.accumulators[i], nullptr)};
        if (running.imaginary[i] != nullptr) {
          value.imaginary = function.LoadScratch(running.imaginary[i], nullptr);
        }
        values.push_back(scalars.Add(value));
      }
      return values;
    };
    std::vector<Running> all;
    for (const ReduceBody& reduce : reduces_) {
      if (depth_.Of(reduce.op().result()) != pass) continue;
      all.push_back({&reduce, {}, {}});
      save(all.back(), reduce.Init(function, emitter));
    }
    EmitLoops(function, emitter, reduced_loops_, [&] {
      for (Running& running : all) {
        std::vector<int> elements;
        for (int i = 0; i < running.reduce->count(); ++i) {
          elements.push_back(
              emitter.Emit(running.reduce->op().operand(i), full));
        }
        save(running, running.reduce->Combine(function, emitter, load(running),
                                              elements));
      }
    });
    for (const Running& running : all) {
      const std::vector<int> results =
          running.reduce->Finish(function, load(running));
      for (size_t i = 0; i < results.size(); ++i) {
        emitter.Bind(running.reduce->op().result(static_cast<int>(i)),
                     KeptIndex(full), results[i]);
      }
    }
  }

  void Store(KernelFunction& function, ElementEmitter& emitter,
             const TensorIndex& index, bool is_full) {
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      const Value* output = graph_.outputs[i];
      if (IsFull(output) != is_full) continue;
      const int scalar = emitter.Emit(output, index);
      const int64_t loops = static_cast<int64_t>(emitter.loop_sizes().size());
      function.Store(
          static_cast<int>(graph_.inputs.size() + i),
          output->shape().element_type(),
          emitter.Materialize(Flatten(index, output->shape().dims(), loops)),
          scalar);
    }
  }

  const KernelGraph& graph_;
  ReductionDepth depth_;
  std::vector<ReduceBody> reduces_;
  Shape full_;
  Shape kept_;
  std::vector<bool> is_reduced_;
  std::vector<MergedLoop> kept_loops_;
  std::vector<MergedLoop> reduced_loops_;
};

}  // namespace

int64_t BuildRowKernel(const KernelGraph& graph, llvm::Module& module) {
  return RowKernelBuilder(graph).Build(module);
}

}  // namespace lockstep
