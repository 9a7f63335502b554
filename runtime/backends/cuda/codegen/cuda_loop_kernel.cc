#include "runtime/backends/cuda/codegen/cuda_loop_kernel.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/backends/cuda/codegen/cuda_loops.h"
#include "runtime/kernels/element_emitter.h"

namespace lockstep::internal {
namespace {

constexpr int kThreads = 256;
constexpr int64_t kMaxWidth = 8;

class LoopKernel {
 public:
  LoopKernel(const KernelGraph& graph, const LoopSpace& space,
             const std::vector<MergedLoop>& loops)
      : graph_(graph), space_(space), loops_(loops) {
    for (const MergedLoop& loop : loops) count_ *= loop.size;
  }

  KernelProgram Build() {
    const int64_t width = Width();
    CudaKernelText text(graph_);
    ElementEmitter emitter(text, graph_, space_);
    CudaLines& lines = text.lines();
    const int64_t groups = (count_ + width - 1) / width;
    lines.Open(absl::StrCat("for (idx g = idx(blockIdx.x) * ", kThreads,
                            " + threadIdx.x; g < ", groups,
                            "; g += idx(gridDim.x) * ", kThreads, ")"));
    if (width == 1) {
      emitter.BeginScope();
      SplitPosition(text, emitter, loops_, "g");
      Store(text, emitter);
      emitter.EndScope();
    } else {
      EmitWide(text, emitter, width);
    }
    lines.Close();
    KernelProgram program;
    program.text = text.Finish(kThreads);
    program.launches.push_back(
        {kCudaKernelSymbol, kThreads, 1, (groups + kThreads - 1) / kThreads});
    return program;
  }

 private:
  // How many neighbours a thread computes at once.
  int64_t Width() const {
    if (loops_.size() != 1 || count_ < kThreads * kMaxWidth) return 1;
    int64_t smallest = 16;
    const auto look = [&](const Value* value) {
      smallest = std::min(smallest, ByteSize(value->shape().element_type()));
    };
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      if (IsPacked(static_cast<int>(i))) look(graph_.inputs[i]);
    }
    for (const Value* output : graph_.outputs) look(output);
    return std::min(16 / smallest, kMaxWidth);
  }
  // Whether an input has the outputs' shape: its element at the place of the
  // result's is among those that are read together. Others of its elements may
  // be read beside it.
  bool IsPacked(int buffer) const {
    return graph_.inputs[buffer]->shape().dims() ==
           graph_.outputs[0]->shape().dims();
  }

  void Store(CudaKernelText& text, ElementEmitter& emitter) const {
    const TensorIndex index = space_.index();
    std::vector<int> scalars;
    for (const Value* output : graph_.outputs) {
      scalars.push_back(emitter.Emit(output, index));
    }
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      text.Store(static_cast<int>(graph_.inputs.size() + i),
                 emitter.Position(Flatten(
                     index, graph_.outputs[i]->shape().dims(), space_.loops())),
                 scalars[i]);
    }
  }

  void EmitWide(CudaKernelText& text, ElementEmitter& emitter,
                int64_t width) const {
    CudaLines& lines = text.lines();
    lines.Add(absl::StrCat("const idx first = g * ", width, ";"));
    const bool has_tail = count_ % width != 0;
    if (has_tail) {
      lines.Open(absl::StrCat("if (first + ", width, " > ", count_, ")"));
      lines.Open(absl::StrCat("for (idx p = first; p < ", count_, "; ++p)"));
      emitter.BeginScope();
      emitter.set_variable(loops_[0].last, text.NamedIndex("p"));
      Store(text, emitter);
      emitter.EndScope();
      lines.Close();
      lines.Add("break;");
      lines.Close();
    }
    const size_t inputs = graph_.inputs.size();
    const auto pack = [&](size_t buffer) { return absl::StrCat("p", buffer); };
    for (size_t i = 0; i < inputs + graph_.outputs.size(); ++i) {
      if (i < inputs && !IsPacked(static_cast<int>(i))) continue;
      const std::string type = absl::StrCat(
          "Pack<", CudaMemoryType(text.TypeOf(static_cast<int>(i))), ", ",
          width, ">");
      lines.Add(absl::StrCat(type, " ", pack(i), ";"));
      if (i < inputs) {
        lines.Add(
            absl::StrCat(type, "::Load(", pack(i), ", b", i, " + first);"));
      }
    }
    for (int64_t lane = 0; lane < width; ++lane) {
      lines.Open("");
      lines.Add(absl::StrCat("const idx p = first + ", lane, ";"));
      emitter.BeginScope();
      const KernelCode::Index p = text.NamedIndex("p");
      emitter.set_variable(loops_[0].last, p);
      for (size_t i = 0; i < inputs + graph_.outputs.size(); ++i) {
        if (i < inputs && !IsPacked(static_cast<int>(i))) continue;
        text.SetPack(static_cast<int>(i), p, pack(i), static_cast<int>(lane));
      }
      Store(text, emitter);
      text.ClearPacks();
      emitter.EndScope();
      lines.Close();
    }
    for (size_t i = inputs; i < inputs + graph_.outputs.size(); ++i) {
      lines.Add(absl::StrCat("p", i, ".Store(p", i, ", b", i, " + first);"));
    }
  }

  const KernelGraph& graph_;
  const LoopSpace& space_;
  const std::vector<MergedLoop>& loops_;
  int64_t count_ = 1;
};

}  // namespace

std::optional<KernelProgram> BuildCudaLoopKernel(const KernelGraph& graph) {
  const Shape& shape = graph.outputs[0]->shape();
  for (const Value* output : graph.outputs) {
    if (output->shape().dims() != shape.dims()) return std::nullopt;
  }
  LoopSpace space(shape.dims());
  std::vector<LinearIndex> uses;
  if (!RehearseLoops(graph, space, uses, [&](ElementEmitter& emitter) {
        for (const Value* output : graph.outputs) {
          emitter.Emit(output, space.index());
        }
        emitter.Position(Flatten(space.index(), shape.dims(), space.loops()));
      })) {
    return std::nullopt;
  }
  std::vector<int64_t> order(static_cast<size_t>(space.loops()));
  std::iota(order.begin(), order.end(), int64_t{0});
  const std::vector<MergedLoop> loops = MergeLoops(space.sizes(), order, uses);
  return LoopKernel(graph, space, loops).Build();
}

}  // namespace lockstep::internal
