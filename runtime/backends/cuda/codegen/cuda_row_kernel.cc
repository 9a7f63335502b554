#include "runtime/backends/cuda/codegen/cuda_row_kernel.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/backends/cuda/codegen/cuda_loops.h"
#include "runtime/kernels/argument_reduction.h"
#include "runtime/kernels/element_emitter.h"
#include "runtime/kernels/reduce_body.h"
#include "runtime/kernels/row_passes.h"

namespace lockstep::internal {
namespace {

// Rows up to here are a thread's, up to there a warp's, then a block's.
constexpr int64_t kMaxThreadRow = 8;
constexpr int64_t kMaxWarpRow = 1024;
constexpr int kWarp = 32;

// How threads share the rows. Of a block x * y threads; `rows` rows, each by
// `partners` threads.
struct Sharing {
  enum Kind { kThread, kWarpRow, kBlockRow, kColumns };
  Kind kind = kThread;
  int x = 1;
  int y = 1;
  int rows = 1;
  int partners = 1;
};

Sharing ShareRows(int64_t length, bool are_columns) {
  if (are_columns) {
    const int slices =
        static_cast<int>(std::clamp<int64_t>(length / 8, 1, kWarp));
    return {Sharing::kColumns, kWarp, slices, kWarp, slices};
  }
  if (length <= kMaxThreadRow) return {Sharing::kThread, 256, 1, 256, 1};
  if (length <= kMaxWarpRow) return {Sharing::kWarpRow, kWarp, 8, 8, kWarp};
  const int threads = length <= 4096 ? 256 : length <= 16384 ? 512 : 1024;
  return {Sharing::kBlockRow, threads, 1, 1, threads};
}

class RowKernel {
 public:
  explicit RowKernel(const KernelGraph& graph) : graph_(graph), depth_(graph) {
    for (const Value* output : graph.outputs) depth_.Of(output);
    for (const Op* op : depth_.reduces()) reduces_.emplace_back(*op);
    const Op& first = *depth_.reduces()[0];
    full_ = first.operand(0)->shape();
    kept_ = first.result()->shape();
    is_reduced_.resize(static_cast<size_t>(full_.rank()), false);
    const std::vector<int64_t> reduced = *first.IntegersAttribute("dimensions");
    for (int64_t dim : reduced) is_reduced_[dim] = true;
  }

  std::optional<KernelProgram> Build() {
    for (const Value* output : graph_.outputs) {
      if (!IsFull(output) && output->shape().dims() != kept_.dims()) {
        return std::nullopt;
      }
    }
    LoopSpace space(full_.dims());
    std::vector<LinearIndex> uses;
    if (!RehearseLoops(graph_, space, uses, [&](ElementEmitter& emitter) {
          Rehearse(space, emitter);
        })) {
      return std::nullopt;
    }
    std::vector<int64_t> kept_order, reduced_order;
    for (int64_t i = 0; i < space.loops(); ++i) {
      (is_reduced_[space.dim_of(i)] ? reduced_order : kept_order).push_back(i);
    }
    kept_loops_ = MergeLoops(space.sizes(), kept_order, uses);
    reduced_loops_ = MergeLoops(space.sizes(), reduced_order, uses);
    for (const MergedLoop& loop : kept_loops_) rows_ *= loop.size;
    for (const MergedLoop& loop : reduced_loops_) length_ *= loop.size;
    sharing_ = MustGoInOrder() ? ShareRows(1, false)
                               : ShareRows(length_, AreColumns(space));

    CudaKernelText text(graph_);
    ElementEmitter emitter(text, graph_, space);
    full_index_ = space.index();
    Emit(text, emitter);
    KernelProgram program;
    program.threads_x = sharing_.x;
    program.threads_y = sharing_.y;
    program.text = text.Finish(sharing_.x * sharing_.y);
    program.blocks = (rows_ + sharing_.rows - 1) / sharing_.rows;
    return program;
  }

 private:
  // What a reduction has come to in one thread.
  struct Running {
    const ReduceBody* reduce;
    // Neighbours of the walk are combined first.
    bool keeps_order;
    // Threads begin with the init values; else with their first element, the
    // init values come at the end, and `has` tells whether there is one.
    bool begins_with_init;
    std::string has;
    std::vector<std::string> accumulators;
  };

  bool IsFull(const Value* value) const {
    return value->shape().dims() == full_.dims();
  }
  TensorIndex KeptIndex() const { return KeptOf(full_index_); }
  TensorIndex KeptOf(const TensorIndex& full) const {
    TensorIndex kept;
    for (size_t i = 0; i < full.size(); ++i) {
      if (!is_reduced_[i]) kept.push_back(full[i]);
    }
    return kept;
  }

  void Rehearse(const LoopSpace& space, ElementEmitter& emitter) {
    const TensorIndex full = space.index();
    const TensorIndex kept = KeptOf(full);
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

  // Whether neighbouring rows lie side by side in memory.
  bool AreColumns(const LoopSpace& space) const {
    if (kept_loops_.empty() || kept_loops_.back().size < 8) return false;
    for (int64_t i = kept_loops_.back().last + 1; i < space.loops(); ++i) {
      if (space.sizes()[i] != 1) return false;
    }
    return true;
  }

  // Whether a body may give another result when parts of a row are combined
  // first: all that are not known. A thread then takes the whole row.
  bool MustGoInOrder() const {
    return MatchArgumentReduction(graph_) == nullptr &&
           !absl::c_all_of(reduces_, [](const ReduceBody& reduce) {
             return reduce.is_commutative();
           });
  }

  int passes() {
    int passes = 0;
    for (const ReduceBody& reduce : reduces_) {
      passes = std::max(passes, depth_.Of(reduce.op().result()));
    }
    return passes;
  }

  void Emit(CudaKernelText& text, ElementEmitter& emitter) {
    CudaLines& lines = text.lines();
    const bool rows_along_x =
        sharing_.kind == Sharing::kThread || sharing_.kind == Sharing::kColumns;
    const absl::string_view row_in_block = rows_along_x ? "threadIdx.x"
                                           : sharing_.kind == Sharing::kWarpRow
                                               ? "threadIdx.y"
                                               : "0";
    partner_ = sharing_.kind == Sharing::kThread    ? "0"
               : sharing_.kind == Sharing::kColumns ? "threadIdx.y"
                                                    : "threadIdx.x";
    lines.Open(absl::StrCat("for (idx block = blockIdx.x; block < ",
                            (rows_ + sharing_.rows - 1) / sharing_.rows,
                            "; block += gridDim.x)"));
    emitter.BeginScope();
    // All threads stay together: what has no row of its own computes the last
    // one, and stores nothing.
    lines.Add(absl::StrCat("const idx wanted = block * ", sharing_.rows, " + ",
                           row_in_block, ";"));
    lines.Add(absl::StrCat("const bool has_row = wanted < ", rows_, ";"));
    lines.Add(
        absl::StrCat("const idx row = has_row ? wanted : ", rows_ - 1, ";"));
    SplitPosition(text, emitter, kept_loops_, "row");
    const int last = passes();
    for (int pass = 1; pass <= last; ++pass) EmitPass(text, emitter, pass);

    lines.Open(absl::StrCat("if (has_row && ", partner_, " == 0)"));
    emitter.BeginScope();
    Store(text, emitter, KeptIndex(), /*is_full=*/false);
    emitter.EndScope();
    lines.Close();
    if (absl::c_any_of(graph_.outputs,
                       [&](const Value* output) { return IsFull(output); })) {
      EmitWalk(text, emitter, /*keeps_order=*/false, [&] {
        lines.Open("if (has_row)");
        emitter.BeginScope();
        Store(text, emitter, full_index_, /*is_full=*/true);
        emitter.EndScope();
        lines.Close();
      });
    }
    emitter.EndScope();
    lines.Close();
  }

  // The thread's part of the walk through a row.
  void EmitWalk(CudaKernelText& text, ElementEmitter& emitter, bool keeps_order,
                const std::function<void()>& body) {
    CudaLines& lines = text.lines();
    const int partners = sharing_.partners;
    const int64_t part = (length_ + partners - 1) / partners;
    if (keeps_order && partners > 1) {
      lines.Open(absl::StrCat("for (idx r = idx(", partner_, ") * ", part,
                              ", end = r + ", part, "; r < end && r < ",
                              length_, "; ++r)"));
    } else {
      lines.Open(absl::StrCat("for (idx r = ", partner_, "; r < ", length_,
                              "; r += ", partners, ")"));
    }
    emitter.BeginScope();
    SplitPosition(text, emitter, reduced_loops_, "r");
    body();
    emitter.EndScope();
    lines.Close();
  }

  std::vector<int> Accumulators(CudaKernelText& text,
                                const Running& running) const {
    std::vector<int> scalars;
    for (int i = 0; i < running.reduce->count(); ++i) {
      scalars.push_back(text.scalars().Named(
          running.reduce->accumulator_type(i), running.accumulators[i]));
    }
    return scalars;
  }
  void Assign(CudaKernelText& text, const Running& running,
              const std::vector<int>& values) const {
    for (size_t i = 0; i < values.size(); ++i) {
      text.lines().Add(absl::StrCat(running.accumulators[i], " = ",
                                    text.scalars().NameOf(values[i]), ";"));
    }
  }

  Running Begin(CudaKernelText& text, ElementEmitter& emitter,
                const ReduceBody& reduce) {
    Running running = {
        &reduce,
        !reduce.is_commutative(),
        sharing_.kind == Sharing::kThread || reduce.has_identity_inits(),
        "",
        {}};
    const std::vector<int> inits = reduce.Init(text, emitter);
    for (int i = 0; i < reduce.count(); ++i) {
      running.accumulators.push_back(text.lines().NewName("a"));
      text.lines().Add(absl::StrCat(CudaScalarType(reduce.accumulator_type(i)),
                                    " ", running.accumulators[i], " = ",
                                    text.scalars().NameOf(inits[i]), ";"));
    }
    if (!running.begins_with_init) {
      running.has = text.lines().NewName("has");
      text.lines().Add(absl::StrCat("bool ", running.has, " = false;"));
    }
    return running;
  }

  // The accumulators become their combination with `others`, which stand behind
  // them in the walk; `has_others`: whether there are any.
  void Combine(CudaKernelText& text, ElementEmitter& emitter,
               const Running& running, const std::vector<int>& others,
               absl::string_view has_others) {
    CudaLines& lines = text.lines();
    emitter.BeginScope();
    const std::vector<int> combined = running.reduce->Combine(
        text, emitter, Accumulators(text, running), others);
    emitter.EndScope();
    if (running.begins_with_init) {
      Assign(text, running, combined);
      return;
    }
    for (size_t i = 0; i < combined.size(); ++i) {
      const std::string& name = running.accumulators[i];
      lines.Add(absl::StrCat(name, " = !(", has_others, ") ? ", name, " : ",
                             running.has, " ? ",
                             text.scalars().NameOf(combined[i]), " : ",
                             text.scalars().NameOf(others[i]), ";"));
    }
    lines.Add(absl::StrCat(running.has, " = ", running.has, " || (", has_others,
                           ");"));
  }

  // Over the threads of a warp, into its lane 0.
  void CombineWarp(CudaKernelText& text, ElementEmitter& emitter,
                   const Running& running) {
    CudaLines& lines = text.lines();
    const std::string distance = lines.NewName("d");
    lines.Open(absl::StrCat("for (int ", distance, " = 1; ", distance, " < ",
                            kWarp, "; ", distance, " <<= 1)"));
    std::string has_others = "true";
    if (!running.begins_with_init) {
      has_others = lines.NewName("has");
      lines.Add(absl::StrCat("const bool ", has_others, " = FromLane(",
                             running.has, ", ", distance, ");"));
    }
    std::vector<int> others;
    for (int i = 0; i < running.reduce->count(); ++i) {
      others.push_back(
          text.scalars().Add(running.reduce->accumulator_type(i),
                             absl::StrCat("FromLane(", running.accumulators[i],
                                          ", ", distance, ")")));
    }
    Combine(text, emitter, running, others, has_others);
    lines.Close();
  }

  // Over `slots` slots of shared memory, into all threads. A thread that
  // `gives` writes `slot`; a thread reads `read` of the slots i, from 0.
  void CombineShared(CudaKernelText& text, ElementEmitter& emitter,
                     const Running& running, int size, int slots,
                     absl::string_view gives, absl::string_view slot,
                     absl::string_view read) {
    CudaLines& lines = text.lines();
    std::vector<std::string> shared;
    for (int i = 0; i < running.reduce->count(); ++i) {
      shared.push_back(lines.NewName("shared"));
      lines.Add(absl::StrCat(
          "__shared__ ", CudaScalarType(running.reduce->accumulator_type(i)),
          " ", shared[i], "[", size, "];"));
    }
    std::string shared_has;
    if (!running.begins_with_init) {
      shared_has = lines.NewName("shared");
      lines.Add(absl::StrCat("__shared__ bool ", shared_has, "[", size, "];"));
    }
    lines.Open(absl::StrCat("if (", gives, ")"));
    for (size_t i = 0; i < shared.size(); ++i) {
      lines.Add(absl::StrCat(shared[i], "[", slot,
                             "] = ", running.accumulators[i], ";"));
    }
    if (!running.begins_with_init) {
      lines.Add(absl::StrCat(shared_has, "[", slot, "] = ", running.has, ";"));
    }
    lines.Close();
    lines.Add("__syncthreads();");
    const auto read_slot = [&](absl::string_view number) {
      return absl::StrCat(number, read);
    };
    for (size_t i = 0; i < shared.size(); ++i) {
      lines.Add(absl::StrCat(running.accumulators[i], " = ", shared[i], "[",
                             read_slot("0"), "];"));
    }
    if (!running.begins_with_init) {
      lines.Add(absl::StrCat(running.has, " = ", shared_has, "[",
                             read_slot("0"), "];"));
    }
    const std::string number = lines.NewName("n");
    lines.Open(absl::StrCat("for (int ", number, " = 1; ", number, " < ", slots,
                            "; ++", number, ")"));
    std::vector<int> others;
    for (size_t i = 0; i < shared.size(); ++i) {
      others.push_back(text.scalars().Add(
          running.reduce->accumulator_type(static_cast<int>(i)),
          absl::StrCat(shared[i], "[", read_slot(number), "]")));
    }
    Combine(text, emitter, running, others,
            running.begins_with_init
                ? "true"
                : absl::StrCat(shared_has, "[", read_slot(number), "]"));
    lines.Close();
    // Before the memory is written again.
    lines.Add("__syncthreads();");
  }

  // From the threads of a row to all of them.
  void CombinePartners(CudaKernelText& text, ElementEmitter& emitter,
                       const Running& running) {
    CudaLines& lines = text.lines();
    switch (sharing_.kind) {
      case Sharing::kThread:
        return;
      case Sharing::kWarpRow:
        CombineWarp(text, emitter, running);
        for (const std::string& name : running.accumulators) {
          lines.Add(absl::StrCat(name, " = FromFirst(", name, ");"));
        }
        return;
      case Sharing::kBlockRow:
        CombineWarp(text, emitter, running);
        CombineShared(text, emitter, running, sharing_.x / kWarp,
                      sharing_.x / kWarp, "threadIdx.x % 32 == 0",
                      "threadIdx.x / 32", "");
        return;
      case Sharing::kColumns:
        if (sharing_.y == 1) return;
        CombineShared(text, emitter, running, sharing_.y * kWarp, sharing_.y,
                      "true", "threadIdx.y * 32 + threadIdx.x",
                      " * 32 + threadIdx.x");
        return;
    }
  }

  // One walk through the row for all reductions of one depth.
  void EmitPass(CudaKernelText& text, ElementEmitter& emitter, int pass) {
    std::vector<Running> all;
    for (const ReduceBody& reduce : reduces_) {
      if (depth_.Of(reduce.op().result()) != pass) continue;
      all.push_back(Begin(text, emitter, reduce));
    }
    const bool keeps_order = absl::c_any_of(
        all, [](const Running& running) { return running.keeps_order; });
    EmitWalk(text, emitter, keeps_order, [&] {
      for (const Running& running : all) {
        std::vector<int> elements;
        for (int i = 0; i < running.reduce->count(); ++i) {
          const ElementType type = running.reduce->accumulator_type(i);
          elements.push_back(text.scalars().Convert(
              type,
              emitter.Emit(running.reduce->op().operand(i), full_index_)));
        }
        Combine(text, emitter, running, elements, "true");
      }
    });
    for (const Running& running : all) {
      CombinePartners(text, emitter, running);
      if (!running.begins_with_init) {
        // body(init, all elements).
        const std::vector<int> inits = running.reduce->Init(text, emitter);
        emitter.BeginScope();
        Assign(text, running,
               running.reduce->Combine(text, emitter, inits,
                                       Accumulators(text, running)));
        emitter.EndScope();
      }
      const std::vector<int> results =
          running.reduce->Finish(text, Accumulators(text, running));
      for (size_t i = 0; i < results.size(); ++i) {
        emitter.Bind(running.reduce->op().result(static_cast<int>(i)),
                     KeptIndex(), results[i]);
      }
    }
  }

  void Store(CudaKernelText& text, ElementEmitter& emitter,
             const TensorIndex& index, bool is_full) {
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      const Value* output = graph_.outputs[i];
      if (IsFull(output) != is_full) continue;
      const int scalar = emitter.Emit(output, index);
      const int64_t loops = static_cast<int64_t>(emitter.loop_sizes().size());
      text.Store(
          static_cast<int>(graph_.inputs.size() + i),
          emitter.Position(Flatten(index, output->shape().dims(), loops)),
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
  int64_t rows_ = 1;
  int64_t length_ = 1;
  Sharing sharing_;
  std::string partner_;
  TensorIndex full_index_;
};

}  // namespace

std::optional<KernelProgram> BuildCudaRowKernel(const KernelGraph& graph) {
  return RowKernel(graph).Build();
}

}  // namespace lockstep::internal
