#include "runtime/backends/cuda/codegen/cuda_row_kernel.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_accesses.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/backends/cuda/codegen/cuda_loops.h"
#include "runtime/backends/cuda/codegen/cuda_row_plan.h"
#include "runtime/backends/cuda/codegen/cuda_row_reduction.h"
#include "runtime/backends/cuda/codegen/cuda_row_walk.h"
#include "runtime/kernels/argument_reduction.h"
#include "runtime/kernels/element_emitter.h"
#include "runtime/kernels/reduce_body.h"
#include "runtime/kernels/row_passes.h"

namespace lockstep::internal {
namespace {

constexpr char kCombineSymbol[] = "combine";

class RowKernel {
 public:
  explicit RowKernel(const KernelGraph& graph)
      : graph_(graph), depth_(graph), loads_(graph), space_({}) {
    for (const Value* output : graph.outputs) depth_.Of(output);
    for (const Op* op : depth_.reduces()) reduces_.emplace_back(*op);
    for (const ReduceBody& reduce : reduces_) {
      passes_ = std::max(passes_, depth_.Of(reduce.op().result()));
    }
    const Op& first = *depth_.reduces()[0];
    full_ = first.operand(0)->shape();
    kept_ = first.result()->shape();
    is_reduced_.resize(static_cast<size_t>(full_.rank()), false);
    const std::vector<int64_t> reduced = *first.IntegersAttribute("dimensions");
    for (int64_t dim : reduced) is_reduced_[dim] = true;
    space_ = LoopSpace(full_.dims());
  }

  // False: there is no code for it.
  bool Plan() {
    for (const Value* output : graph_.outputs) {
      if (!IsFull(output) && output->shape().dims() != kept_.dims()) {
        return false;
      }
    }
    std::vector<LinearIndex> uses;
    if (!RehearseLoops(graph_, space_, uses, [&](ElementEmitter& emitter) {
          loads_.Record(emitter);
          Rehearse(emitter);
        })) {
      return false;
    }
    std::vector<int64_t> kept_order, reduced_order;
    for (int64_t i = 0; i < space_.loops(); ++i) {
      (is_reduced_[space_.dim_of(i)] ? reduced_order : kept_order).push_back(i);
    }
    kept_loops_ = MergeLoops(space_.sizes(), kept_order, uses);
    accesses_.reduced_loops = MergeLoops(space_.sizes(), reduced_order, uses);
    for (const MergedLoop& loop : kept_loops_) rows_ *= loop.size;
    for (const MergedLoop& loop : accesses_.reduced_loops) {
      accesses_.length *= loop.size;
    }
    PlanAccesses();
    plan_ = PlanRows(Work());
    return true;
  }

  int64_t ScratchBytes() const {
    int64_t bytes = 0;
    if (plan_.slices == 1) return 0;
    for (const ReduceBody& reduce : reduces_) {
      for (int i = 0; i < reduce.count(); ++i) bytes += PartialBytes(reduce, i);
    }
    return bytes;
  }

  KernelProgram Build() {
    CudaKernelText text(graph_);
    KernelProgram program;
    program.scratch_bytes = ScratchBytes();
    const bool is_sliced = plan_.slices > 1;
    EmitKernel(text, plan_, [&](ElementEmitter& emitter) {
      CudaRowWalk walk(plan_, accesses_, Partner(plan_), text, emitter);
      if (is_sliced) {
        EmitSlice(text, emitter, walk);
      } else {
        EmitRow(text, emitter, walk);
      }
    });
    EndLaunch(text, plan_, kCudaKernelSymbol, program);
    if (is_sliced) {
      const RowPlan plan = PlanSlices(rows_, plan_.slices);
      EmitKernel(text, plan, [&](ElementEmitter& emitter) {
        EmitCombination(text, emitter, plan);
      });
      EndLaunch(text, plan, kCombineSymbol, program);
    }
    program.text = text.Finish();
    return program;
  }

 private:
  using Reductions = std::list<CudaRowReduction>;

  bool IsFull(const Value* value) const {
    return value->shape().dims() == full_.dims();
  }
  bool HasFullOutputs() const {
    return absl::c_any_of(graph_.outputs,
                          [&](const Value* output) { return IsFull(output); });
  }
  TensorIndex KeptOf(const TensorIndex& full) const {
    TensorIndex kept;
    for (size_t i = 0; i < full.size(); ++i) {
      if (!is_reduced_[i]) kept.push_back(full[i]);
    }
    return kept;
  }
  int DepthOf(const ReduceBody& reduce) {
    return depth_.Of(reduce.op().result());
  }

  // By passes: what one of them has loaded another one loads again.
  void Rehearse(ElementEmitter& emitter) {
    const TensorIndex full = space_.index();
    const TensorIndex kept = KeptOf(full);
    for (int pass = 1; pass <= passes_; ++pass) {
      loads_.set_pass(pass);
      std::vector<int> elements;
      emitter.BeginScope();
      for (const ReduceBody& reduce : reduces_) {
        if (DepthOf(reduce) != pass) continue;
        for (int i = 0; i < reduce.count(); ++i) {
          elements.push_back(emitter.Emit(reduce.op().operand(i), full));
        }
      }
      emitter.EndScope();
      size_t next = 0;
      for (const ReduceBody& reduce : reduces_) {
        if (DepthOf(reduce) != pass) continue;
        for (int i = 0; i < reduce.count(); ++i) {
          emitter.Emit(reduce.op().operand(reduce.count() + i), {});
          emitter.Bind(reduce.op().result(i), kept, elements[next++]);
        }
      }
    }
    loads_.set_pass(passes_ + 1);
    for (const Value* output : graph_.outputs) {
      const TensorIndex& index = IsFull(output) ? full : kept;
      emitter.Emit(output, index);
      emitter.Position(Flatten(index, output->shape().dims(), space_.loops()));
    }
  }

  void PlanAccesses() {
    accesses_.full_index = space_.index();
    accesses_.loops = kept_loops_;
    accesses_.loops.insert(accesses_.loops.end(),
                           accesses_.reduced_loops.begin(),
                           accesses_.reduced_loops.end());
    accesses_.loads = loads_.loads();
    RowPasses row_passes(graph_, full_.dims());
    for (const ReduceBody& reduce : reduces_) {
      for (int i = 0; i < reduce.count(); ++i) {
        row_passes.Need(reduce.op().operand(i), DepthOf(reduce));
      }
    }
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      const Value* output = graph_.outputs[i];
      if (!IsFull(output)) continue;
      row_passes.Need(output, passes_ + 1);
      accesses_.stores.push_back(
          {static_cast<int>(graph_.inputs.size() + i),
           Flatten(accesses_.full_index, output->shape().dims(),
                   space_.loops()),
           output->shape().element_type(), false, passes_ + 1, passes_ + 1});
    }
    accesses_.spills = row_passes.Spills();
  }

  RowWork Work() {
    RowWork work = {.rows = rows_, .length = accesses_.length};
    work.is_read_once = passes_ == 1 && !HasFullOutputs();
    work.are_columns = AreColumns();
    work.keeps_order = !absl::c_all_of(reduces_, [](const ReduceBody& reduce) {
      return reduce.is_commutative();
    });
    work.must_go_in_order =
        work.keeps_order && MatchArgumentReduction(graph_) == nullptr;
    if (work.are_columns || work.keeps_order ||
        accesses_.reduced_loops.empty()) {
      return work;
    }
    work.width =
        PackWidth(accesses_.loads, accesses_.stores, accesses_.loops, false);
    const int64_t loop = accesses_.reduced_loops.back().last;
    int64_t loaded = 0, kept = 0;
    for (const CudaAccess& load : accesses_.loads) {
      if (IsPackable(load, loop, work.width, accesses_.loops) &&
          (load.first_pass == 1 || load.last_pass > load.first_pass)) {
        loaded += work.width * ByteSize(load.type);
      }
    }
    for (const RowSpill& spill : accesses_.spills) {
      kept +=
          work.width *
          std::max<int64_t>(4, ByteSize(spill.value->shape().element_type()));
    }
    work.group_bytes = std::max({loaded, kept, 2 * int64_t{work.width}});
    return work;
  }

  // Whether neighbouring rows lie side by side in memory.
  bool AreColumns() const {
    if (kept_loops_.empty() || kept_loops_.back().size < 8) return false;
    for (int64_t i = kept_loops_.back().last + 1; i < space_.loops(); ++i) {
      if (space_.sizes()[i] != 1) return false;
    }
    return true;
  }

  static std::string Partner(const RowPlan& plan) {
    return plan.kind == RowPlan::kThread    ? "0"
           : plan.kind == RowPlan::kColumns ? "threadIdx.y"
                                            : "threadIdx.x";
  }
  int64_t BlocksOf(const RowPlan& plan) const {
    return (rows_ + plan.rows - 1) / plan.rows * plan.slices;
  }

  // `body` for the row of each thread.
  void EmitKernel(CudaKernelText& text, const RowPlan& plan,
                  const std::function<void(ElementEmitter&)>& body) {
    CudaLines& lines = text.lines();
    ElementEmitter emitter(text, graph_, space_);
    const absl::string_view row_in_block =
        plan.kind == RowPlan::kThread || plan.kind == RowPlan::kColumns
            ? "threadIdx.x"
        : plan.kind == RowPlan::kWarp ? "threadIdx.y"
                                      : "0";
    lines.Open(absl::StrCat("for (idx block = blockIdx.x; block < ",
                            BlocksOf(plan), "; block += gridDim.x)"));
    std::string tile = "block";
    if (plan.slices > 1) {
      lines.Add(absl::StrCat("const idx slice = block % ", plan.slices, ";"));
      tile = absl::StrCat("(block / ", plan.slices, ")");
    }
    // All threads stay together: what has no row of its own computes the last
    // one, and stores nothing.
    lines.Add(absl::StrCat("const idx wanted = ", tile, " * ", plan.rows, " + ",
                           row_in_block, ";"));
    lines.Add(rows_ % plan.rows == 0
                  ? "const bool has_row = true;"
                  : absl::StrCat("const bool has_row = wanted < ", rows_, ";"));
    lines.Add(
        absl::StrCat("const idx row = has_row ? wanted : ", rows_ - 1, ";"));
    emitter.BeginScope();
    SplitPosition(text, emitter, kept_loops_, "row");
    body(emitter);
    emitter.EndScope();
    lines.Close();
  }

  void EndLaunch(CudaKernelText& text, const RowPlan& plan,
                 absl::string_view symbol, KernelProgram& program) const {
    text.EndFunction(symbol, plan.x * plan.y, program.scratch_bytes > 0);
    program.launches.push_back(
        {std::string(symbol), plan.x, plan.y, BlocksOf(plan)});
  }

  void EmitRow(CudaKernelText& text, ElementEmitter& emitter,
               CudaRowWalk& walk) {
    for (int pass = 1; pass <= passes_; ++pass) {
      Reductions reductions = EmitPass(text, emitter, walk, pass);
      for (CudaRowReduction& reduction : reductions) {
        reduction.AddInits();
        BindResults(emitter, reduction);
      }
    }
    StoreKept(text, emitter, Partner(plan_));
    if (accesses_.stores.empty()) return;
    walk.Emit(passes_ + 1, /*keeps_order=*/false, [&] {
      size_t store = 0;
      for (const Value* output : graph_.outputs) {
        if (!IsFull(output)) continue;
        walk.Store(store++, emitter.Emit(output, accesses_.full_index));
      }
    });
  }

  // One walk through the row, for all reductions of one depth.
  Reductions EmitPass(CudaKernelText& text, ElementEmitter& emitter,
                      CudaRowWalk& walk, int pass) {
    Reductions reductions;
    bool keeps_order = false;
    for (const ReduceBody& reduce : reduces_) {
      if (DepthOf(reduce) != pass) continue;
      reductions.emplace_back(reduce, plan_, text, emitter);
      keeps_order |= !reduce.is_commutative();
    }
    walk.Emit(pass, keeps_order, [&] {
      for (CudaRowReduction& reduction : reductions) {
        const ReduceBody& body = reduction.body();
        std::vector<int> elements;
        for (int i = 0; i < body.count(); ++i) {
          elements.push_back(text.scalars().Convert(
              body.accumulator_type(i),
              emitter.Emit(body.op().operand(i), accesses_.full_index)));
        }
        reduction.Add(elements);
      }
    });
    for (CudaRowReduction& reduction : reductions) {
      reduction.CombinePartners();
    }
    return reductions;
  }

  void BindResults(ElementEmitter& emitter, CudaRowReduction& reduction) const {
    const std::vector<int> results = reduction.Finish();
    for (size_t i = 0; i < results.size(); ++i) {
      emitter.Bind(reduction.body().op().result(static_cast<int>(i)),
                   KeptOf(accesses_.full_index), results[i]);
    }
  }

  void StoreKept(CudaKernelText& text, ElementEmitter& emitter,
                 absl::string_view partner) const {
    const TensorIndex index = KeptOf(accesses_.full_index);
    text.lines().Open(absl::StrCat("if (has_row && ", partner, " == 0)"));
    emitter.BeginScope();
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      const Value* output = graph_.outputs[i];
      if (IsFull(output)) continue;
      const int scalar = emitter.Emit(output, index);
      text.Store(static_cast<int>(graph_.inputs.size() + i),
                 emitter.Position(
                     Flatten(index, output->shape().dims(), space_.loops())),
                 scalar);
    }
    emitter.EndScope();
    text.lines().Close();
  }

  // ---- Slices. Each has at least one element.

  int64_t PartialBytes(const ReduceBody& reduce, int i) const {
    constexpr int64_t kAlignment = 16;
    const int64_t size =
        std::max<int64_t>(4, ByteSize(reduce.accumulator_type(i)));
    return (rows_ * plan_.slices * size + kAlignment - 1) / kAlignment *
           kAlignment;
  }
  // Result i of each slice, `reduction` the number of the reduction.
  std::string Partial(size_t reduction, int i,
                      absl::string_view position) const {
    int64_t offset = 0;
    for (size_t k = 0; k <= reduction; ++k) {
      const int end = k < reduction ? reduces_[k].count() : i;
      for (int j = 0; j < end; ++j) offset += PartialBytes(reduces_[k], j);
    }
    return absl::StrCat("reinterpret_cast<",
                        CudaScalarType(reduces_[reduction].accumulator_type(i)),
                        "*>(scratch + ", offset, ")[", position, "]");
  }

  void EmitSlice(CudaKernelText& text, ElementEmitter& emitter,
                 CudaRowWalk& walk) {
    CudaLines& lines = text.lines();
    const Reductions reductions = EmitPass(text, emitter, walk, 1);
    lines.Open(absl::StrCat("if (has_row && ", Partner(plan_), " == 0)"));
    size_t number = 0;
    for (const CudaRowReduction& reduction : reductions) {
      for (int i = 0; i < reduction.body().count(); ++i) {
        lines.Add(absl::StrCat(
            Partial(number, i, absl::StrCat("slice * ", rows_, " + row")),
            " = ", reduction.accumulator(i), ";"));
      }
      ++number;
    }
    lines.Close();
  }

  void EmitCombination(CudaKernelText& text, ElementEmitter& emitter,
                       const RowPlan& plan) {
    CudaLines& lines = text.lines();
    Reductions reductions;
    for (const ReduceBody& reduce : reduces_) {
      reductions.emplace_back(reduce, plan, text, emitter);
    }
    // Neighbouring slices for a thread, whether or not their order matters.
    const int64_t part = (plan_.slices + plan.partners - 1) / plan.partners;
    lines.Add("#pragma unroll 4");
    lines.Open(absl::StrCat("for (idx i = idx(", Partner(plan), ") * ", part,
                            ", last = i + ", part, "; i < last && i < ",
                            plan_.slices, "; ++i)"));
    size_t number = 0;
    for (CudaRowReduction& reduction : reductions) {
      const ReduceBody& body = reduction.body();
      std::vector<int> partials;
      for (int i = 0; i < body.count(); ++i) {
        partials.push_back(text.scalars().Add(
            body.accumulator_type(i),
            Partial(number, i, absl::StrCat("i * ", rows_, " + row"))));
      }
      reduction.Add(partials);
      ++number;
    }
    lines.Close();
    for (CudaRowReduction& reduction : reductions) {
      reduction.CombinePartners();
      reduction.AddInits();
      BindResults(emitter, reduction);
    }
    StoreKept(text, emitter, Partner(plan));
  }

  const KernelGraph& graph_;
  ReductionDepth depth_;
  CudaLoads loads_;
  LoopSpace space_;
  std::vector<ReduceBody> reduces_;
  int passes_ = 0;
  Shape full_;
  Shape kept_;
  std::vector<bool> is_reduced_;
  std::vector<MergedLoop> kept_loops_;
  RowAccesses accesses_;
  int64_t rows_ = 1;
  RowPlan plan_;
};

}  // namespace

std::optional<KernelProgram> BuildCudaRowKernel(const KernelGraph& graph) {
  RowKernel kernel(graph);
  if (!kernel.Plan()) return std::nullopt;
  return kernel.Build();
}

int64_t CudaRowKernelScratchBytes(const KernelGraph& graph) {
  RowKernel kernel(graph);
  return kernel.Plan() ? kernel.ScratchBytes() : 0;
}

}  // namespace lockstep::internal
