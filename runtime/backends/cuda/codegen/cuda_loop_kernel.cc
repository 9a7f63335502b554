#include "runtime/backends/cuda/codegen/cuda_loop_kernel.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_accesses.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/backends/cuda/codegen/cuda_loop_work.h"
#include "runtime/backends/cuda/codegen/cuda_loops.h"
#include "runtime/backends/cuda/codegen/cuda_transpose_kernel.h"
#include "runtime/kernels/element_emitter.h"

namespace lockstep::internal {
namespace {

constexpr int kThreads = 256;
// Fewer elements are taken one by one.
constexpr int64_t kMinPacked = 2048;
// Of a thread's loads that are in flight together.
constexpr int64_t kBytesInFlight = 128;
constexpr int64_t kMaxGroups = 4;
// Four blocks for each multiprocessor of a large device come before several
// groups for a thread.
constexpr int64_t kManyBlocks = 528;
// Of the body of a thread.
constexpr int64_t kMaxLines = 768;

class LoopKernel {
 public:
  explicit LoopKernel(const CudaLoopWork& work) : work_(work) {
    PlanWidth();
    groups_ = work_.count / width_;
    PlanGroups();
  }

  KernelProgram Build() {
    CudaKernelText text(work_.graph);
    ElementEmitter emitter(text, work_.graph, work_.space);
    CudaLines& lines = text.lines();
    const int64_t at_once = kThreads * per_thread_;
    const int64_t blocks = (groups_ + at_once - 1) / at_once;
    lines.Open(absl::StrCat("for (idx block = blockIdx.x; block < ", blocks,
                            "; block += gridDim.x)"));
    EmitLoads(text, emitter);
    EmitGroups(text, emitter);
    lines.Close();
    EmitRest(text, emitter);
    KernelProgram program;
    program.text = text.Finish(kThreads);
    program.launches.push_back({kCudaKernelSymbol, kThreads, 1, blocks});
    return program;
  }

 private:
  // Neighbours of the last loop where it takes a whole number of packs; else
  // those of an output, which may be in several rows: then only what lies as
  // the outputs do is packed.
  void PlanWidth() {
    if (work_.count < kMinPacked) return;
    width_ = PackWidth(work_.loads, work_.stores, work_.loops,
                       /*may_have_rest=*/work_.loops.size() == 1);
    if (width_ > 1 || work_.loops.size() == 1) return;
    is_flat_ = true;
    int64_t smallest = 16, largest = 1;
    for (const auto* accesses : {&work_.loads, &work_.stores}) {
      for (const CudaAccess& access : *accesses) {
        if (!IsPacked(access)) continue;
        smallest = std::min(smallest, ByteSize(access.type));
        largest = std::max(largest, ByteSize(access.type));
      }
    }
    width_ = std::max<int64_t>(1, std::min(16 / smallest, 32 / largest));
  }

  void PlanGroups() {
    int64_t bytes = 0;
    for (const CudaAccess& load : work_.loads) {
      bytes += (IsPacked(load) ? width_ : 1) * ByteSize(load.type);
    }
    per_thread_ = std::clamp<int64_t>(
        kBytesInFlight / std::max<int64_t>(bytes, 1), 1, kMaxGroups);
    const int64_t lines = work_.LinesOfElement() * width_;
    while (per_thread_ > 1 && (groups_ < kThreads * kManyBlocks * per_thread_ ||
                               lines * per_thread_ > kMaxLines)) {
      --per_thread_;
    }
  }

  bool IsPacked(const CudaAccess& access) const {
    if (is_flat_) {
      return !access.is_conditional && access.offset == work_.stores[0].offset;
    }
    if (work_.loops.empty()) return false;
    return IsPackable(access, work_.loops.back().last, width_, work_.loops);
  }
  std::string PackType(const CudaAccess& access) const {
    return absl::StrCat("Pack<", CudaMemoryType(access.type), ", ", width_,
                        ">");
  }
  std::string PositionOf(const CudaAccess& access, CudaKernelText& text,
                         ElementEmitter& emitter) const {
    return is_flat_ ? "first" : text.NameOf(emitter.Position(access.offset));
  }

  // A loop over the groups of a thread: `u`, and `first`, where one begins.
  void ForEachGroup(CudaKernelText& text, ElementEmitter& emitter,
                    const std::function<void()>& body) const {
    CudaLines& lines = text.lines();
    lines.Add("#pragma unroll");
    lines.Open(absl::StrCat("for (int u = 0; u < ", per_thread_, "; ++u)"));
    lines.Add(absl::StrCat("const idx wanted = block * ",
                           kThreads * per_thread_, " + u * ", kThreads,
                           " + threadIdx.x;"));
    // Without a branch all groups' loads can be in flight together: a thread
    // that has no group computes the last one, and stores nothing.
    lines.Add(absl::StrCat("const idx first = ",
                           HasIdle()
                               ? absl::StrCat("(wanted < ", groups_,
                                              " ? wanted : ", groups_ - 1, ")")
                               : "wanted",
                           " * ", width_, ";"));
    emitter.BeginScope();
    if (!is_flat_) SplitPosition(text, emitter, work_.loops, "first");
    body();
    emitter.EndScope();
    lines.Close();
  }
  bool HasIdle() const { return groups_ % (kThreads * per_thread_) != 0; }

  void EmitLoads(CudaKernelText& text, ElementEmitter& emitter) const {
    CudaLines& lines = text.lines();
    for (size_t i = 0; i < work_.loads.size(); ++i) {
      if (!IsPacked(work_.loads[i])) continue;
      lines.Add(absl::StrCat(PackType(work_.loads[i]), " p", i, "[",
                             per_thread_, "];"));
    }
    ForEachGroup(text, emitter, [&] {
      for (size_t i = 0; i < work_.loads.size(); ++i) {
        const CudaAccess& load = work_.loads[i];
        if (!IsPacked(load)) continue;
        lines.Add(absl::StrCat(PackType(load), "::Load(p", i, "[u], b",
                               load.buffer, " + ",
                               PositionOf(load, text, emitter), ");"));
      }
    });
  }

  void EmitGroups(CudaKernelText& text, ElementEmitter& emitter) const {
    CudaLines& lines = text.lines();
    ForEachGroup(text, emitter, [&] {
      for (size_t i = 0; i < work_.stores.size(); ++i) {
        lines.Add(absl::StrCat(PackType(work_.stores[i]), " q", i, ";"));
      }
      EmitLanes(text, emitter);
      for (size_t i = 0; i < work_.stores.size(); ++i) {
        const CudaAccess& store = work_.stores[i];
        lines.Add(absl::StrCat(
            HasIdle() ? absl::StrCat("if (wanted < ", groups_, ") ") : "",
            PackType(store), "::Store(q", i, ", b", store.buffer, " + ",
            PositionOf(store, text, emitter), ");"));
      }
    });
  }

  void EmitLanes(CudaKernelText& text, ElementEmitter& emitter) const {
    CudaLines& lines = text.lines();
    lines.Add("#pragma unroll");
    lines.Open(absl::StrCat("for (int lane = 0; lane < ", width_, "; ++lane)"));
    emitter.BeginScope();
    KernelCode::Index first;
    if (is_flat_) {
      lines.Add("const idx p = first + lane;");
      SplitPosition(text, emitter, work_.loops, "p");
    } else if (!work_.loops.empty()) {
      const int64_t loop = work_.loops.back().last;
      first = emitter.variable(loop);
      emitter.set_variable(
          loop, text.NewIndex(absl::StrCat(text.NameOf(first), " + lane")));
    }
    LoadFromPacks(
        text, emitter, work_.loads,
        [this](size_t i) {
          return IsPacked(work_.loads[i]) ? absl::StrCat("p", i, "[u]") : "";
        },
        [](size_t) { return "lane"; });
    const std::vector<int> scalars = work_.EmitOutputs(emitter);
    for (size_t i = 0; i < scalars.size(); ++i) {
      lines.Add(absl::StrCat("StoreElement(q", i, ".elements, lane, ",
                             text.scalars().NameOf(scalars[i]), ");"));
    }
    emitter.set_loader(nullptr);
    emitter.EndScope();
    lines.Close();
    if (first.is_known()) {
      emitter.set_variable(work_.loops.back().last, first);
    }
  }

  // The elements behind the last group, one by one.
  void EmitRest(CudaKernelText& text, ElementEmitter& emitter) const {
    const int64_t rest = work_.count % width_;
    if (rest == 0) return;
    CudaLines& lines = text.lines();
    lines.Open(
        absl::StrCat("if (blockIdx.x == 0 && threadIdx.x < ", rest, ")"));
    lines.Add(
        absl::StrCat("const idx p = ", work_.count - rest, " + threadIdx.x;"));
    emitter.BeginScope();
    SplitPosition(text, emitter, work_.loops, "p");
    const std::vector<int> scalars = work_.EmitOutputs(emitter);
    for (size_t i = 0; i < scalars.size(); ++i) {
      text.Store(work_.stores[i].buffer, text.NamedIndex("p"), scalars[i]);
    }
    emitter.EndScope();
    lines.Close();
  }

  const CudaLoopWork& work_;
  int64_t width_ = 1;
  bool is_flat_ = false;
  int64_t groups_ = 1;
  int64_t per_thread_ = 1;
};

}  // namespace

std::optional<KernelProgram> BuildCudaLoopKernel(const KernelGraph& graph) {
  const std::optional<CudaLoopWork> work = CudaLoopWork::Of(graph);
  if (!work.has_value()) return std::nullopt;
  if (auto program = BuildCudaTransposeKernel(*work)) return program;
  return LoopKernel(*work).Build();
}

}  // namespace lockstep::internal
