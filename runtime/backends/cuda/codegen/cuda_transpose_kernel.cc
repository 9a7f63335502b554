#include "runtime/backends/cuda/codegen/cuda_transpose_kernel.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_accesses.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/backends/cuda/codegen/cuda_loops.h"
#include "runtime/backends/cuda/codegen/cuda_transpose_squares.h"
#include "runtime/kernels/element_emitter.h"

namespace lockstep::internal {
namespace {

constexpr int kThreads = CudaTransposeSquares::kThreads;
// As many as have the registers for it, and the bytes in flight.
constexpr int kResidentBlocks = 3;
// Shorter loops, and less work, are not worth tiles.
constexpr int64_t kMinLoop = 8;
constexpr int64_t kMinCount = 4096;
constexpr int64_t kMaxWidth = 8;
// Packs of fewer bytes are slower than single elements through shared memory.
constexpr int64_t kMinPackBytes = 8;
// Of a tile in shared memory, by elements, and the rows of a thread of it.
constexpr int kTile = 32;
constexpr int kTileRows = kTile * kTile / kThreads;

class TransposeKernel {
 public:
  explicit TransposeKernel(const CudaLoopWork& work) : work_(work) {}

  // False: no input lies across the outputs.
  bool Plan() {
    if (work_.loops.size() < 2 || work_.count < kMinCount) return false;
    along_ = work_.loops.back();
    if (along_.size < kMinLoop) return false;
    for (const CudaAccess& load : work_.loads) {
      if (LiesAcross(load) && FindLoopOf(load)) break;
    }
    if (across_.size == 1) return false;
    is_tiled_.resize(work_.loads.size());
    int64_t smallest = 16, largest = 1;
    for (size_t i = 0; i < work_.loads.size(); ++i) {
      const CudaAccess& load = work_.loads[i];
      is_tiled_[i] = LiesAcross(load) && IsPackable(load, across_.last, 1, {});
      if (!is_tiled_[i]) continue;
      tiled_bytes_ += ByteSize(load.type);
      smallest = std::min(smallest, ByteSize(load.type));
      largest = std::max(largest, ByteSize(load.type));
    }
    for (const CudaAccess& store : work_.stores) {
      smallest = std::min(smallest, ByteSize(store.type));
      largest = std::max(largest, ByteSize(store.type));
    }
    PlanWidth(smallest, largest);
    return width_ > 1 || tiled_bytes_ * kTile * (kTile + 1) <= 40000;
  }

  KernelProgram Build() {
    CudaKernelText text(work_.graph);
    ElementEmitter emitter(text, work_.graph, work_.space);
    const CudaTransposeSquares squares(work_, along_, across_, is_tiled_,
                                       width_);
    const int64_t side_along = width_ > 1 ? squares.side_along() : kTile;
    const int64_t side_across = width_ > 1 ? squares.side_across() : kTile;
    const int64_t tiles_along = (along_.size + side_along - 1) / side_along;
    const int64_t tiles_across = (across_.size + side_across - 1) / side_across;
    const int64_t blocks =
        work_.count / along_.size / across_.size * tiles_along * tiles_across;
    CudaLines& lines = text.lines();
    lines.Open(absl::StrCat("for (idx block = blockIdx.x; block < ", blocks,
                            "; block += gridDim.x)"));
    lines.Add(absl::StrCat("const idx tile = block / ", tiles_along, ";"));
    lines.Add(absl::StrCat("const idx along = block % ", tiles_along, " * ",
                           side_along, ", across = tile % ", tiles_across,
                           " * ", side_across, ";"));
    lines.Add(absl::StrCat("const idx outer = tile / ", tiles_across, ";"));
    emitter.BeginScope();
    std::vector<MergedLoop> outer;
    for (const MergedLoop& loop : work_.loops) {
      if (loop.last != along_.last && loop.last != across_.last) {
        outer.push_back(loop);
      }
    }
    SplitPosition(text, emitter, outer, "outer");
    if (width_ > 1) {
      squares.Emit(text, emitter);
    } else {
      EmitTile(text, emitter);
    }
    emitter.EndScope();
    lines.Close();
    KernelProgram program;
    program.text =
        text.Finish(kThreads, AreWords(work_.graph) ? kResidentBlocks : 1);
    program.launches.push_back({kCudaKernelSymbol, kThreads, 1, blocks});
    return program;
  }

 private:
  bool LiesAcross(const CudaAccess& load) const {
    return load.offset.coefficients[along_.last] != 0 &&
           load.offset.coefficients[along_.last] != 1;
  }
  // The loop whose neighbours lie side by side in the input.
  bool FindLoopOf(const CudaAccess& load) {
    for (const MergedLoop& loop : work_.loops) {
      if (loop.size >= kMinLoop && IsPackable(load, loop.last, 1, {})) {
        across_ = loop;
        return true;
      }
    }
    return false;
  }
  void PlanWidth(int64_t smallest, int64_t largest) {
    width_ = std::clamp<int64_t>(std::min(16 / smallest, 32 / largest), 1,
                                 kMaxWidth);
    for (; width_ > 1; width_ /= 2) {
      if (width_ * smallest < kMinPackBytes) width_ = 1;
      if (along_.size % width_ != 0 || across_.size % width_ != 0) continue;
      bool are_packable = true;
      for (size_t i = 0; i < work_.loads.size(); ++i) {
        are_packable &=
            !is_tiled_[i] ||
            IsPackable(work_.loads[i], across_.last, width_, work_.loops);
      }
      if (are_packable) break;
    }
  }

  void SetPlace(CudaKernelText& text, ElementEmitter& emitter,
                absl::string_view along, absl::string_view across) const {
    emitter.set_variable(along_.last, text.NamedIndex(std::string(along)));
    emitter.set_variable(across_.last, text.NamedIndex(std::string(across)));
  }

  // ---- A tile of kTile * kTile elements in shared memory for a block.

  void EmitTile(CudaKernelText& text, ElementEmitter& emitter) const {
    CudaLines& lines = text.lines();
    for (size_t i = 0; i < work_.loads.size(); ++i) {
      if (!is_tiled_[i]) continue;
      // A row more, so that a column lies in different banks.
      lines.Add(absl::StrCat("__shared__ Tile<",
                             CudaMemoryType(work_.loads[i].type), ", ", kTile,
                             "> t", i, "[", kTile, "];"));
    }
    lines.Add(absl::StrCat("const int x = threadIdx.x % ", kTile,
                           ", y = threadIdx.x / ", kTile, ";"));
    ForEachRow(text, "along", along_, "across", across_, [&] {
      SetPlace(text, emitter, "row", "column");
      for (size_t i = 0; i < work_.loads.size(); ++i) {
        const CudaAccess& load = work_.loads[i];
        if (!is_tiled_[i]) continue;
        lines.Add(absl::StrCat("t", i, "[y + s].elements[x] = b", load.buffer,
                               "[", text.NameOf(emitter.Position(load.offset)),
                               "];"));
      }
    });
    lines.Add("__syncthreads();");
    ForEachRow(text, "across", across_, "along", along_, [&] {
      emitter.BeginScope();
      SetPlace(text, emitter, "column", "row");
      LoadFromPacks(
          text, emitter, work_.loads,
          [this](size_t i) {
            return is_tiled_[i] ? absl::StrCat("t", i, "[x]") : "";
          },
          [](size_t) { return "y + s"; });
      const std::vector<int> scalars = work_.EmitOutputs(emitter);
      for (size_t i = 0; i < scalars.size(); ++i) {
        text.Store(work_.stores[i].buffer,
                   emitter.Position(work_.stores[i].offset), scalars[i]);
      }
      emitter.set_loader(nullptr);
      emitter.EndScope();
    });
    // Before the tile is written again.
    lines.Add("__syncthreads();");
  }

  // The rows of a thread: `s`, from which of the tile's it is, and where it is
  // in the loops.
  void ForEachRow(CudaKernelText& text, absl::string_view row,
                  const MergedLoop& rows, absl::string_view column,
                  const MergedLoop& columns,
                  const std::function<void()>& body) const {
    CudaLines& lines = text.lines();
    lines.Add("#pragma unroll");
    lines.Open(absl::StrCat("for (int s = 0; s < ", kTile,
                            "; s += ", kTile / kTileRows, ")"));
    lines.Add(absl::StrCat("const idx row = ", row,
                           " + y + s, column = ", column, " + x;"));
    lines.Open(absl::StrCat("if (row < ", rows.size, " && column < ",
                            columns.size, ")"));
    body();
    lines.Close();
    lines.Close();
  }

  const CudaLoopWork& work_;
  MergedLoop along_;            // the outputs' fastest loop
  MergedLoop across_;           // that of the inputs that lie across
  std::vector<bool> is_tiled_;  // by load
  int64_t tiled_bytes_ = 0;     // of one element of each
  int64_t width_ = 1;
};

}  // namespace

std::optional<KernelProgram> BuildCudaTransposeKernel(
    const CudaLoopWork& work) {
  TransposeKernel kernel(work);
  if (!kernel.Plan()) return std::nullopt;
  return kernel.Build();
}

}  // namespace lockstep::internal
