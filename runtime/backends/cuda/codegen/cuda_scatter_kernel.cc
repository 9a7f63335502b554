#include "runtime/backends/cuda/codegen/cuda_scatter_kernel.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/kernels/element_emitter.h"
#include "runtime/kernels/loop_space.h"
#include "runtime/kernels/scalar_support.h"
#include "runtime/ops/geometry/indexed_windows.h"

namespace lockstep::internal {
namespace {

constexpr int kThreads = 256;
// Of a window, for one block.
constexpr int64_t kChunk = 2048;
constexpr int64_t kMostWindows = int64_t{1} << 20;

// Buffers of the graph.
constexpr int kIndices = 0;
constexpr int kUpdates = 1;
constexpr int kResult = 2;

class ScatterKernel {
 public:
  // Nothing where there is no code for it.
  static std::optional<ScatterKernel> Match(const KernelGraph& graph) {
    const Op& op = *graph.op;
    if (op.result_count() != 1 || !CanEmitScalarRegion(op.region())) {
      return std::nullopt;
    }
    const auto windows = ScatterWindowsOf(op);
    if (!windows.ok()) return std::nullopt;
    ScatterKernel kernel(graph, *windows);
    if (!HasCodeFor(kernel.result_.element_type()) ||
        !HasCodeFor(kernel.indices_.element_type()) ||
        op.operand(0)->type() != op.result(0)->type() ||
        op.region().arguments()[0]->shape().element_type() !=
            kernel.result_.element_type() ||
        kernel.count_ > kMostWindows || !kernel.WindowsAreApartOrOne()) {
      return std::nullopt;
    }
    return kernel;
  }

  int64_t scratch_bytes() const {
    return std::max<int64_t>(count_, 1) * static_cast<int64_t>(sizeof(int64_t));
  }

  std::optional<KernelProgram> Build() const {
    CudaKernelText text(graph_);
    KernelProgram program;
    EmitPlaces(text);
    text.EndFunction("places", kThreads, /*has_scratch=*/true);
    program.launches.push_back(
        {"places", kThreads, 1, (count_ + kThreads - 1) / kThreads});
    if (!EmitUpdates(text)) return std::nullopt;
    text.EndFunction(kCudaKernelSymbol, kThreads, /*has_scratch=*/true);
    program.launches.push_back({kCudaKernelSymbol, kThreads, 1,
                                std::max<int64_t>(1, count_ * chunks_)});
    program.text = text.Finish();
    program.scratch_bytes = scratch_bytes();
    return program;
  }

 private:
  ScatterKernel(const KernelGraph& graph, IndexedWindows windows)
      : graph_(graph),
        windows_(std::move(windows)),
        indices_(graph.inputs[kIndices]->shape()),
        updates_(graph.inputs[kUpdates]->shape()),
        result_(graph.outputs[0]->shape()),
        window_operand_dims_(windows_.WindowOperandDims(result_.rank())),
        position_dims_(windows_.PositionDims(updates_.rank())) {
    for (const int64_t dim : position_dims_) count_ *= updates_.dim(dim);
    for (const int64_t dim : windows_.window_dims) {
      window_size_ *= updates_.dim(dim);
    }
    chunks_ = std::max<int64_t>(1, (window_size_ + kChunk - 1) / kChunk);
  }

  // Whether two windows have all elements in common, or none: along dims with
  // an index they have one element.
  bool WindowsAreApartOrOne() const {
    for (size_t i = 0; i < window_operand_dims_.size(); ++i) {
      const auto& map = windows_.index_map;
      if (updates_.dim(windows_.window_dims[i]) != 1 &&
          std::find(map.begin(), map.end(), window_operand_dims_[i]) !=
              map.end()) {
        return false;
      }
    }
    return true;
  }

  // The dim of the indices that position dim `i` of the updates is.
  int64_t IndicesDim(size_t i) const {
    const auto dim = static_cast<int64_t>(i);
    return dim < windows_.index_vector_dim ? dim : dim + 1;
  }

  // scratch[i] = where window i begins in the result, or -1.
  void EmitPlaces(CudaKernelText& text) const {
    CudaLines& lines = text.lines();
    const Dims strides = result_.Strides();
    const Dims indices_strides = indices_.Strides();
    lines.Open(absl::StrCat("for (idx i = idx(blockIdx.x) * ", kThreads,
                            " + threadIdx.x; i < ", count_,
                            "; i += idx(gridDim.x) * ", kThreads, ")"));
    lines.Add("idx rest = i, at = 0;");
    lines.Add("s64 place = 0;");
    for (size_t p = position_dims_.size(); p-- > 0;) {
      const int64_t size = updates_.dim(position_dims_[p]);
      const int64_t dim = IndicesDim(p);
      const std::string coordinate = absl::StrCat("p", p);
      lines.Add(absl::StrCat("const idx ", coordinate, " = rest % ", size,
                             "; rest /= ", size, "; at += ", coordinate,
                             " * idx(", indices_strides[dim], ");"));
      for (size_t b = 0; b < windows_.indices_batching_dims.size(); ++b) {
        if (windows_.indices_batching_dims[b] != dim) continue;
        lines.Add(absl::StrCat("place += s64(", coordinate, ") * ",
                               strides[windows_.operand_batching_dims[b]],
                               "ll;"));
      }
    }
    for (size_t k = 0; k < windows_.index_map.size(); ++k) {
      const int64_t dim = windows_.index_map[k];
      const int64_t step = windows_.index_vector_dim == indices_.rank()
                               ? 0
                               : indices_strides[windows_.index_vector_dim];
      const int index =
          text.Load(kIndices, indices_.element_type(),
                    text.NewIndex(absl::StrCat(
                        "at + idx(", static_cast<int64_t>(k) * step, ")")));
      const std::string& name = text.scalars().NameOf(index);
      // Negative ones become large.
      lines.Add(absl::StrCat(
          "place = place < 0 || u64(s64(", name, ")) >= ", result_.dim(dim),
          "ull ? s64(-1) : place + s64(", name, ") * ", strides[dim], "ll;"));
    }
    lines.Add("reinterpret_cast<s64*>(scratch)[i] = place;");
    lines.Close();
  }

  bool EmitUpdates(CudaKernelText& text) const {
    CudaLines& lines = text.lines();
    lines.Add("const s64* places = reinterpret_cast<const s64*>(scratch);");
    lines.Add(absl::StrCat("__shared__ bool here[", kThreads, "];"));
    lines.Open(absl::StrCat("for (s64 item = blockIdx.x; item < ",
                            count_ * chunks_, "ll; item += gridDim.x)"));
    lines.Add(absl::StrCat("const idx i = idx(item / ", chunks_,
                           "), first = idx(item % ", chunks_, ") * ", kChunk,
                           ";"));
    lines.Add("const s64 place = places[i];");
    lines.Add("if (place < 0) continue;");
    lines.Add("bool is_later = false;");
    lines.Add(absl::StrCat("for (idx j = threadIdx.x; j < i; j += ", kThreads,
                           ") is_later |= places[j] == place;"));
    lines.Add("if (__syncthreads_or(is_later)) continue;");
    lines.Open(absl::StrCat("for (idx from = i; from < ", count_,
                            "; from += ", kThreads, ")"));
    lines.Add("const idx j = from + idx(threadIdx.x);");
    lines.Add(absl::StrCat("const bool is_here = j < ", count_,
                           " && places[j] == place;"));
    lines.Add("here[threadIdx.x] = is_here;");
    lines.Open("if (__syncthreads_or(is_here))");
    const bool is_ok = EmitWindow(text);
    lines.Close();
    // `here` is written again.
    lines.Add("__syncthreads();");
    lines.Close();
    lines.Close();
    return is_ok;
  }

  // The elements of a window, with the updates from `from` on that are `here`.
  bool EmitWindow(CudaKernelText& text) const {
    CudaLines& lines = text.lines();
    CudaScalarBuilder& scalars = text.scalars();
    const ElementType type = result_.element_type();
    const Dims strides = result_.Strides();
    const Dims updates_strides = updates_.Strides();
    lines.Open(absl::StrCat("for (idx w = first + idx(threadIdx.x); w < ",
                            window_size_, " && w < first + ", kChunk,
                            "; w += ", kThreads, ")"));
    lines.Add("idx rest = w, target = idx(place), inner = 0;");
    for (size_t i = window_operand_dims_.size(); i-- > 0;) {
      const int64_t dim = windows_.window_dims[i];
      const int64_t size = updates_.dim(dim);
      lines.Add(absl::StrCat("target += rest % ", size, " * idx(",
                             strides[window_operand_dims_[i]],
                             "), inner += rest % ", size, " * idx(",
                             updates_strides[dim], "), rest /= ", size, ";"));
    }
    const int before = text.Load(kResult, type, text.NamedIndex("target"));
    lines.Add(absl::StrCat(CudaScalarType(type),
                           " sum = ", scalars.NameOf(before), ";"));
    lines.Open(absl::StrCat("for (int k = 0; k < ", kThreads, "; ++k)"));
    lines.Add("if (!here[k]) continue;");
    lines.Add("idx rest = from + k, source = inner;");
    for (size_t p = position_dims_.size(); p-- > 0;) {
      const int64_t size = updates_.dim(position_dims_[p]);
      lines.Add(absl::StrCat("source += rest % ", size, " * idx(",
                             updates_strides[position_dims_[p]],
                             "), rest /= ", size, ";"));
    }
    const int update = text.Load(kUpdates, type, text.NamedIndex("source"));
    const LoopSpace space(absl::Span<const int64_t>{});
    ElementEmitter emitter(text, graph_, space);
    const std::vector<int> combined = emitter.EmitRegion(
        graph_.op->region(), {scalars.Named(type, "sum"), update});
    if (!emitter.is_ok() || combined.size() != 1) return false;
    lines.Add(absl::StrCat("sum = ", scalars.NameOf(combined[0]), ";"));
    lines.Close();
    text.Store(kResult, text.NamedIndex("target"), scalars.Named(type, "sum"));
    lines.Close();
    return true;
  }

  const KernelGraph& graph_;
  IndexedWindows windows_;
  const Shape& indices_;
  const Shape& updates_;
  const Shape& result_;
  std::vector<int64_t> window_operand_dims_;  // those of windows_.window_dims
  std::vector<int64_t> position_dims_;        // of the updates
  int64_t count_ = 1;                         // windows
  int64_t window_size_ = 1;
  int64_t chunks_ = 1;
};

}  // namespace

std::optional<KernelProgram> BuildCudaScatterKernel(const KernelGraph& graph) {
  const std::optional<ScatterKernel> kernel = ScatterKernel::Match(graph);
  return kernel.has_value() ? kernel->Build() : std::nullopt;
}

int64_t CudaScatterScratchBytes(const KernelGraph& graph) {
  const std::optional<ScatterKernel> kernel = ScatterKernel::Match(graph);
  return kernel.has_value() ? kernel->scratch_bytes() : 0;
}

}  // namespace lockstep::internal
