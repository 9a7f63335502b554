#include "runtime/backends/cuda/codegen/cuda_transpose_kernel.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_accesses.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/backends/cuda/codegen/cuda_loops.h"
#include "runtime/kernels/element_emitter.h"

namespace lockstep::internal {
namespace {

constexpr int kThreads = 256;
// As many as have the registers for it, and the bytes in flight.
constexpr int kResidentBlocks = 3;
// Shorter loops, and less work, are not worth tiles.
constexpr int64_t kMinLoop = 8;
constexpr int64_t kMinCount = 4096;
// How the threads of a block lie in a tile of squares: for each bit of a
// thread's number whether it counts along the outputs' neighbours ('a') or
// across, along the input's. Of a whole tile 16 by 16; every 8 threads cover 64
// bytes of each row of the input and 32 of each of the outputs.
constexpr absl::string_view kLie = "ccacacaa";
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
    PlanBits();
    const int64_t side_along = width_ > 1 ? width_ << along_bits_ : kTile;
    const int64_t side_across = width_ > 1 ? width_ << across_bits_ : kTile;
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
      EmitSquare(text, emitter);
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

  // Short loops get fewer threads, the other one more.
  void PlanBits() {
    const auto bits_for = [&](const MergedLoop& loop) {
      int bits = 0;
      while ((width_ << bits) < loop.size) ++bits;
      return bits;
    };
    constexpr int kBits = static_cast<int>(kLie.size());
    along_bits_ = std::min(kBits / 2, bits_for(along_));
    across_bits_ = std::min(kBits - along_bits_, bits_for(across_));
    along_bits_ = kBits - across_bits_;
  }
  // A thread's place among those along and those across.
  std::string PlaceOf(char direction) const {
    int along = 0, across = 0;
    std::string place = "0";
    for (int bit = 0; bit < static_cast<int>(kLie.size()); ++bit) {
      const bool is_along =
          kLie[bit] == 'a' ? along < along_bits_ : across == across_bits_;
      const int to = is_along ? along++ : across++;
      if (is_along != (direction == 'a')) continue;
      absl::StrAppend(&place, " | (((threadIdx.x >> ", bit, ") & 1) << ", to,
                      ")");
    }
    return place;
  }

  std::string PackType(const CudaAccess& access) const {
    return absl::StrCat("Pack<", CudaMemoryType(access.type), ", ", width_,
                        ">");
  }
  bool IsPacked(const CudaAccess& access) const {
    return IsPackable(access, along_.last, width_, work_.loops);
  }
  void SetPlace(CudaKernelText& text, ElementEmitter& emitter,
                absl::string_view along, absl::string_view across) const {
    emitter.set_variable(along_.last, text.NamedIndex(std::string(along)));
    emitter.set_variable(across_.last, text.NamedIndex(std::string(across)));
  }

  // ---- A square of width * width elements for each thread.

  void EmitSquare(CudaKernelText& text, ElementEmitter& emitter) const {
    CudaLines& lines = text.lines();
    lines.Add(absl::StrCat("const idx a = along + ", width_, " * idx(",
                           PlaceOf('a'), ");"));
    lines.Add(absl::StrCat("const idx c = across + ", width_, " * idx(",
                           PlaceOf('c'), ");"));
    lines.Open(
        absl::StrCat("if (a < ", along_.size, " && c < ", across_.size, ")"));
    EmitSquareLoads(text, emitter);
    lines.Add("#pragma unroll");
    lines.Open(absl::StrCat("for (int k = 0; k < ", width_, "; ++k)"));
    lines.Add("const idx ck = c + k;");
    emitter.BeginScope();
    SetPlace(text, emitter, "a", "ck");
    for (size_t i = 0; i < work_.loads.size(); ++i) {
      const CudaAccess& load = work_.loads[i];
      if (!IsPacked(load)) continue;
      lines.Add(absl::StrCat(PackType(load), " p", i, ";"));
      lines.Add(absl::StrCat(PackType(load), "::Load(p", i, ", b", load.buffer,
                             " + ", text.NameOf(emitter.Position(load.offset)),
                             ");"));
    }
    for (size_t i = 0; i < work_.stores.size(); ++i) {
      lines.Add(absl::StrCat(PackType(work_.stores[i]), " q", i, ";"));
    }
    EmitSquareLanes(text, emitter);
    SetPlace(text, emitter, "a", "ck");
    for (size_t i = 0; i < work_.stores.size(); ++i) {
      const CudaAccess& store = work_.stores[i];
      lines.Add(absl::StrCat(
          PackType(store), "::Store(q", i, ", b", store.buffer, " + ",
          text.NameOf(emitter.Position(store.offset)), ");"));
    }
    emitter.EndScope();
    lines.Close();
    lines.Close();
  }

  void EmitSquareLoads(CudaKernelText& text, ElementEmitter& emitter) const {
    CudaLines& lines = text.lines();
    for (size_t i = 0; i < work_.loads.size(); ++i) {
      if (!is_tiled_[i]) continue;
      lines.Add(
          absl::StrCat(PackType(work_.loads[i]), " t", i, "[", width_, "];"));
    }
    lines.Add("#pragma unroll");
    lines.Open(absl::StrCat("for (int j = 0; j < ", width_, "; ++j)"));
    lines.Add("const idx aj = a + j;");
    SetPlace(text, emitter, "aj", "c");
    for (size_t i = 0; i < work_.loads.size(); ++i) {
      const CudaAccess& load = work_.loads[i];
      if (!is_tiled_[i]) continue;
      lines.Add(absl::StrCat(PackType(load), "::Load(t", i, "[j], b",
                             load.buffer, " + ",
                             text.NameOf(emitter.Position(load.offset)), ");"));
    }
    lines.Close();
  }

  void EmitSquareLanes(CudaKernelText& text, ElementEmitter& emitter) const {
    CudaLines& lines = text.lines();
    lines.Add("#pragma unroll");
    lines.Open(absl::StrCat("for (int lane = 0; lane < ", width_, "; ++lane)"));
    lines.Add("const idx al = a + lane;");
    emitter.BeginScope();
    SetPlace(text, emitter, "al", "ck");
    LoadFromPacks(
        text, emitter, work_.loads,
        [this](size_t i) {
          return is_tiled_[i]               ? absl::StrCat("t", i, "[lane]")
                 : IsPacked(work_.loads[i]) ? absl::StrCat("p", i)
                                            : "";
        },
        [this](size_t i) { return is_tiled_[i] ? "k" : "lane"; });
    const std::vector<int> scalars = work_.EmitOutputs(emitter);
    for (size_t i = 0; i < scalars.size(); ++i) {
      lines.Add(absl::StrCat("StoreElement(q", i, ".elements, lane, ",
                             text.scalars().NameOf(scalars[i]), ");"));
    }
    emitter.set_loader(nullptr);
    emitter.EndScope();
    lines.Close();
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
  // Of a thread's number: kLie as far as the loops are long enough.
  int along_bits_ = 4;
  int across_bits_ = 4;
};

}  // namespace

std::optional<KernelProgram> BuildCudaTransposeKernel(
    const CudaLoopWork& work) {
  TransposeKernel kernel(work);
  if (!kernel.Plan()) return std::nullopt;
  return kernel.Build();
}

}  // namespace lockstep::internal
