#include "runtime/backends/cuda/codegen/cuda_row_kernel.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <list>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/backends/cuda/codegen/cuda_loops.h"
#include "runtime/backends/cuda/codegen/cuda_row_plan.h"
#include "runtime/backends/cuda/codegen/cuda_row_reduction.h"
#include "runtime/backends/cuda/codegen/cuda_row_walk.h"
#include "runtime/backends/cuda/codegen/cuda_row_work.h"
#include "runtime/kernels/element_emitter.h"
#include "runtime/kernels/reduce_body.h"

namespace lockstep::internal {
namespace {

constexpr char kCombineSymbol[] = "combine";

class RowKernel {
 public:
  explicit RowKernel(const CudaRowWork& work)
      : work_(work), accesses_(work.accesses()), plan_(work.plan()) {}

  int64_t ScratchBytes() const {
    if (plan_.slices == 1) return 0;
    int64_t bytes = 0;
    for (const ReduceBody& reduce : work_.reduces()) {
      for (int i = 0; i < reduce.count(); ++i) bytes += PartialBytes(reduce, i);
    }
    return bytes;
  }

  KernelProgram Build() {
    // Broadcasts and iotas may make more elements than any buffer has.
    CudaKernelText text(work_.graph(), work_.rows() * accesses_.length);
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
      const RowPlan plan = PlanSlices(work_.rows(), plan_.slices);
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

  static std::string Partner(const RowPlan& plan) {
    return plan.kind == RowPlan::kThread    ? "0"
           : plan.kind == RowPlan::kColumns ? "threadIdx.y"
                                            : "threadIdx.x";
  }
  int64_t BlocksOf(const RowPlan& plan) const {
    return (work_.rows() + plan.rows - 1) / plan.rows * plan.slices;
  }

  // `body` for the row of each thread.
  void EmitKernel(CudaKernelText& text, const RowPlan& plan,
                  const std::function<void(ElementEmitter&)>& body) {
    CudaLines& lines = text.lines();
    ElementEmitter emitter(text, work_.graph(), work_.space());
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
    lines.Add(work_.rows() % plan.rows == 0
                  ? "const bool has_row = true;"
                  : absl::StrCat("const bool has_row = wanted < ", work_.rows(),
                                 ";"));
    lines.Add(absl::StrCat(
        "const idx row = has_row ? wanted : ", work_.rows() - 1, ";"));
    emitter.BeginScope();
    SplitPosition(text, emitter, work_.kept_loops(), "row");
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
    for (int pass = 1; pass <= work_.passes(); ++pass) {
      Reductions reductions = EmitPass(text, emitter, walk, pass);
      for (CudaRowReduction& reduction : reductions) {
        reduction.AddInits();
        BindResults(emitter, reduction);
      }
    }
    StoreKept(text, emitter, Partner(plan_));
    if (accesses_.stores.empty()) return;
    walk.Emit(work_.passes() + 1, /*keeps_order=*/false, [&] {
      size_t store = 0;
      for (const Value* output : work_.graph().outputs) {
        if (!work_.IsFull(output)) continue;
        walk.Store(store++, emitter.Emit(output, accesses_.full_index));
      }
    });
  }

  // One walk through the row, for all reductions of one depth.
  Reductions EmitPass(CudaKernelText& text, ElementEmitter& emitter,
                      CudaRowWalk& walk, int pass) {
    Reductions reductions;
    bool keeps_order = false;
    for (const ReduceBody* reduce : work_.reduces_of(pass)) {
      reductions.emplace_back(*reduce, plan_, text, emitter);
      keeps_order |= !reduce->is_commutative();
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
                   work_.KeptOf(accesses_.full_index), results[i]);
    }
  }

  void StoreKept(CudaKernelText& text, ElementEmitter& emitter,
                 absl::string_view partner) const {
    const TensorIndex index = work_.KeptOf(accesses_.full_index);
    text.lines().Open(absl::StrCat("if (has_row && ", partner, " == 0)"));
    emitter.BeginScope();
    for (size_t i = 0; i < work_.graph().outputs.size(); ++i) {
      const Value* output = work_.graph().outputs[i];
      if (work_.IsFull(output)) continue;
      const int scalar = emitter.Emit(output, index);
      text.Store(static_cast<int>(work_.graph().inputs.size() + i),
                 emitter.Position(Flatten(index, output->shape().dims(),
                                          work_.space().loops())),
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
    return (work_.rows() * plan_.slices * size + kAlignment - 1) / kAlignment *
           kAlignment;
  }
  // Result i of each slice, `reduction` the number of the reduction.
  std::string Partial(size_t reduction, int i,
                      absl::string_view position) const {
    int64_t offset = 0;
    for (size_t k = 0; k <= reduction; ++k) {
      const int end = k < reduction ? work_.reduces()[k].count() : i;
      for (int j = 0; j < end; ++j)
        offset += PartialBytes(work_.reduces()[k], j);
    }
    return absl::StrCat(
        "reinterpret_cast<",
        CudaScalarType(work_.reduces()[reduction].accumulator_type(i)),
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
            Partial(number, i,
                    absl::StrCat("slice * ", work_.rows(), " + row")),
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
    for (const ReduceBody& reduce : work_.reduces()) {
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
            Partial(number, i, absl::StrCat("i * ", work_.rows(), " + row"))));
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

  const CudaRowWork& work_;
  const RowAccesses& accesses_;
  const RowPlan& plan_;
};

}  // namespace

std::optional<KernelProgram> BuildCudaRowKernel(const KernelGraph& graph) {
  CudaRowWork work(graph);
  if (!work.Plan()) return std::nullopt;
  return RowKernel(work).Build();
}

int64_t CudaRowKernelScratchBytes(const KernelGraph& graph) {
  CudaRowWork work(graph);
  return work.Plan() ? RowKernel(work).ScratchBytes() : 0;
}

}  // namespace lockstep::internal
