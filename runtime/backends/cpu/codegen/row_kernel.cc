#include "runtime/backends/cpu/codegen/row_kernel.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/backends/cpu/codegen/kernel_loops.h"
#include "runtime/kernels/reduce_body.h"
#include "runtime/kernels/row_passes.h"

namespace lockstep::internal {
namespace {

// Scratch memory of a row, and accumulators that stand side by side.
constexpr int64_t kMaxSpilledBytes = 256 * 1024;
constexpr int64_t kColumnBlock = 1024;
// Outputs that no cache would keep until they are read.
constexpr int64_t kMinNonTemporalBytes = int64_t{32} << 20;
// How far ahead is neither in the caches anyway nor lost again before its use.
constexpr int64_t kMinPrefetchedBytes = 4096;
constexpr int64_t kMaxPrefetchedBytes = 128 * 1024;

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

  int64_t Build(const KernelSite& site) {
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

    KernelFunction function(site, graph_);
    LlvmElementEmitter emitter(function, graph_, space);
    int64_t count;
    if (RunsByColumns(space)) {
      count = EmitColumns(function, emitter, space.index());
    } else {
      PlanSpills();
      count = EmitRangeLoop(function, emitter, kept_loops_,
                            [&] { EmitRow(function, emitter, space.index()); });
    }
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
      emitter.Position(Flatten(index, output->shape().dims(), space.loops()));
    }
  }

  int passes() {
    int passes = 0;
    for (const ReduceBody& reduce : reduces_) {
      passes = std::max(passes, depth_.Of(reduce.op().result()));
    }
    return passes;
  }
  bool HasFullOutputs() const {
    return std::any_of(graph_.outputs.begin(), graph_.outputs.end(),
                       [&](const Value* output) { return IsFull(output); });
  }

  // What a later pass would compute again at a high price stays in scratch
  // memory from the pass that needs it first.
  void PlanSpills() {
    if (reduced_loops_.size() != 1) return;
    const int last = passes() + 1;
    RowPasses row_passes(graph_, full_.dims());
    for (const ReduceBody& reduce : reduces_) {
      for (int i = 0; i < reduce.count(); ++i) {
        row_passes.Need(reduce.op().operand(i),
                        depth_.Of(reduce.op().result()));
      }
    }
    for (const Value* output : graph_.outputs) {
      if (IsFull(output)) row_passes.Need(output, last);
    }
    spills_ = row_passes.Spills();
    const int64_t room = kMaxSpilledBytes / 8 / reduced_loops_[0].size;
    if (static_cast<int64_t>(spills_.size()) > room) spills_.clear();
  }

  // Inside the loop of a pass: values that are in scratch memory are read from
  // there.
  void BindSpills(KernelFunction& function, LlvmElementEmitter& emitter,
                  const TensorIndex& full, int pass) {
    for (const RowSpill& spill : spills_) {
      if (spill.first_pass >= pass) continue;
      emitter.Bind(spill.value, full,
                   function.scalars().Add(
                       {spill.value->shape().element_type(),
                        function.LoadScratch(
                            scratch_.at(spill.value),
                            emitter.variable(reduced_loops_[0].last))}));
    }
  }
  // At the end of the loop's body: what this pass has to keep.
  void KeepSpills(KernelFunction& function, LlvmElementEmitter& emitter,
                  const TensorIndex& full, int pass) {
    for (const RowSpill& spill : spills_) {
      if (spill.first_pass != pass) continue;
      llvm::Value* value =
          function.scalars().Get(emitter.Emit(spill.value, full)).value;
      auto [it, is_new] = scratch_.try_emplace(spill.value, nullptr);
      if (is_new) {
        it->second = function.Scratch(value->getType(), reduced_loops_[0].size);
      }
      function.StoreScratch(it->second,
                            emitter.variable(reduced_loops_[0].last), value);
    }
  }

  void EmitRow(KernelFunction& function, LlvmElementEmitter& emitter,
               const TensorIndex& full) {
    const int last = passes() + 1;
    for (int pass = 1; pass < last; ++pass) {
      EmitPass(function, emitter, full, pass);
    }
    PrefetchNextRow(function, last);
    Store(function, emitter, KeptIndex(full), /*is_full=*/false);
    if (!HasFullOutputs()) return;
    const auto body = [&] {
      BindSpills(function, emitter, full, last);
      Store(function, emitter, full, /*is_full=*/true);
    };
    if (!CanStoreRowsAroundCaches()) {
      EmitLoops(function, emitter, reduced_loops_, body);
      return;
    }
    const int64_t loops = static_cast<int64_t>(emitter.loop_sizes().size());
    const MergedLoop& loop = reduced_loops_[0];
    std::vector<KernelFunction::NonTemporalStores> outputs;
    emitter.set_variable(loop.last, nullptr);
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      if (!IsFull(graph_.outputs[i])) continue;
      outputs.push_back(
          {static_cast<int>(graph_.inputs.size() + i),
           graph_.outputs[i]->shape().element_type(),
           emitter.Materialize(Flatten(full, full_.dims(), loops))});
    }
    function.NonTemporalLoop(function.Int(0), function.Int(loop.size), outputs,
                             [&](llvm::Value* variable) {
                               emitter.BeginScope();
                               emitter.set_variable(loop.last, variable);
                               body();
                               emitter.EndScope();
                             });
  }

  // Whether the outputs of full shape are so large that they go around the
  // caches, and rows begin at cache lines.
  bool CanStoreRowsAroundCaches() const {
    if (reduced_loops_.size() != 1) return false;
    int64_t bytes = 0;
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      const Shape& shape = graph_.outputs[i]->shape();
      if (!IsFull(graph_.outputs[i])) continue;
      const size_t buffer = graph_.inputs.size() + i;
      if (IsComplex(shape.element_type()) ||
          graph_.alias_of[buffer] != static_cast<int>(buffer) ||
          reduced_loops_[0].size * ByteSize(shape.element_type()) % 64 != 0) {
        return false;
      }
      bytes += shape.byte_size();
    }
    return bytes >= kMinNonTemporalBytes;
  }

  // Whether the innermost loop stays: then many results are computed side by
  // side, and the walk goes through memory in order.
  bool RunsByColumns(const LoopSpace& space) {
    if (kept_loops_.empty() || passes() != 1 || HasFullOutputs()) return false;
    const MergedLoop& column = kept_loops_.back();
    for (int64_t i = column.last + 1; i < space.loops(); ++i) {
      if (space.sizes()[i] != 1) return false;
    }
    for (const ReduceBody& reduce : reduces_) {
      for (int i = 0; i < reduce.count(); ++i) {
        if (IsComplex(reduce.accumulator_type(i))) return false;
      }
    }
    return column.size >= 8;
  }

  int64_t EmitColumns(KernelFunction& function, LlvmElementEmitter& emitter,
                      const TensorIndex& full) {
    llvm::IRBuilder<>& b = function.builder();
    LlvmScalarBuilder& scalars = function.scalars();
    const MergedLoop column = kept_loops_.back();
    const int64_t width = std::min(kColumnBlock, column.size);
    std::vector<MergedLoop> range = kept_loops_;
    range.back().size = (column.size + width - 1) / width;
    std::vector<std::vector<llvm::AllocaInst*>> blocks;
    return EmitRangeLoop(function, emitter, range, [&] {
      llvm::Value* first =
          b.CreateNSWMul(emitter.variable(column.last), function.Int(width));
      llvm::Value* end = b.CreateBinaryIntrinsic(
          llvm::Intrinsic::smin, b.CreateNSWAdd(first, function.Int(width)),
          function.Int(column.size));
      const auto along_block = [&](const std::function<void(llvm::Value*)>& f) {
        function.Loop(first, end, 1, true, [&](llvm::Value* i) {
          emitter.BeginScope();
          emitter.set_variable(column.last, i);
          f(b.CreateNSWSub(i, first));
          emitter.EndScope();
        });
      };
      const auto save = [&](size_t r, llvm::Value* at,
                            const std::vector<int>& values) {
        for (size_t i = 0; i < values.size(); ++i) {
          llvm::Value* value = scalars.ToMemory(
              reduces_[r].accumulator_type(static_cast<int>(i)),
              scalars.Get(values[i]).value);
          if (blocks.size() <= r) blocks.resize(r + 1);
          if (blocks[r].size() <= i) {
            blocks[r].push_back(function.Scratch(value->getType(), width));
          }
          function.StoreScratch(blocks[r][i], at, value);
        }
      };
      const auto load = [&](size_t r, llvm::Value* at) {
        std::vector<int> values;
        for (int i = 0; i < reduces_[r].count(); ++i) {
          values.push_back(scalars.Add(
              scalars.FromMemory(reduces_[r].accumulator_type(i),
                                 function.LoadScratch(blocks[r][i], at))));
        }
        return values;
      };
      along_block([&](llvm::Value* at) {
        for (size_t r = 0; r < reduces_.size(); ++r) {
          save(r, at, reduces_[r].Init(function, emitter));
        }
      });
      EmitOuterLoops(function, emitter, reduced_loops_, [&] {
        along_block([&](llvm::Value* at) {
          for (size_t r = 0; r < reduces_.size(); ++r) {
            std::vector<int> elements;
            for (int i = 0; i < reduces_[r].count(); ++i) {
              elements.push_back(
                  emitter.Emit(reduces_[r].op().operand(i), full));
            }
            save(r, at,
                 reduces_[r].Combine(function, emitter, load(r, at), elements));
          }
        });
      });
      along_block([&](llvm::Value* at) {
        const TensorIndex kept = KeptIndex(full);
        for (size_t r = 0; r < reduces_.size(); ++r) {
          const std::vector<int> results =
              reduces_[r].Finish(function, load(r, at));
          for (size_t i = 0; i < results.size(); ++i) {
            emitter.Bind(reduces_[r].op().result(static_cast<int>(i)), kept,
                         results[i]);
          }
        }
        Store(function, emitter, kept, /*is_full=*/false);
      });
    });
  }

  // The second pass, which computes more than it reads, fetches the next row.
  void PrefetchNextRow(KernelFunction& function, int pass) {
    int64_t row = 1;
    for (int64_t i = full_.rank(); i-- > 0 && is_reduced_[i];) {
      row *= full_.dim(i);
    }
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      const Shape& shape = graph_.inputs[i]->shape();
      if (shape.dims() != full_.dims()) continue;
      const int64_t bytes =
          std::max(row * ByteSize(shape.element_type()), kMinPrefetchedBytes);
      const bool fits = row > 1 && bytes <= kMaxPrefetchedBytes;
      function.Prefetch(static_cast<int>(i), pass == 2 && fits ? bytes : 0);
    }
  }

  // One walk over the row for all reductions of one depth.
  void EmitPass(KernelFunction& function, LlvmElementEmitter& emitter,
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
    PrefetchNextRow(function, pass);
    EmitLoops(function, emitter, reduced_loops_, [&] {
      BindSpills(function, emitter, full, pass);
      for (Running& running : all) {
        std::vector<int> elements;
        for (int i = 0; i < running.reduce->count(); ++i) {
          elements.push_back(
              emitter.Emit(running.reduce->op().operand(i), full));
        }
        save(running, running.reduce->Combine(function, emitter, load(running),
                                              elements));
      }
      KeepSpills(function, emitter, full, pass);
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

  void Store(KernelFunction& function, LlvmElementEmitter& emitter,
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
  std::vector<RowSpill> spills_;
  absl::flat_hash_map<const Value*, llvm::AllocaInst*> scratch_;
};

}  // namespace

int64_t BuildRowKernel(const KernelGraph& graph, const KernelSite& site) {
  return RowKernelBuilder(graph).Build(site);
}

}  // namespace lockstep::internal
