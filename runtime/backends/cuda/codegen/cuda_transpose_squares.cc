#include "runtime/backends/cuda/codegen/cuda_transpose_squares.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_accesses.h"

namespace lockstep::internal {
namespace {

// How the threads of a block lie in a tile of squares: for each bit of a
// thread's number whether it counts along the outputs' neighbours ('a') or
// across, along the input's. Of a whole tile 16 by 16; every 8 threads cover 64
// bytes of each row of the input and 32 of each of the outputs.
constexpr absl::string_view kLie = "ccacacaa";
constexpr int kBits = static_cast<int>(kLie.size());
static_assert(1 << kBits == CudaTransposeSquares::kThreads);

}  // namespace

CudaTransposeSquares::CudaTransposeSquares(const CudaLoopWork& work,
                                           const MergedLoop& along,
                                           const MergedLoop& across,
                                           std::vector<bool> is_tiled,
                                           int64_t width)
    : work_(work),
      along_(along),
      across_(across),
      is_tiled_(std::move(is_tiled)),
      width_(width) {
  // Short loops get fewer threads, the other one more.
  const auto bits_for = [&](const MergedLoop& loop) {
    int bits = 0;
    while ((width_ << bits) < loop.size) ++bits;
    return bits;
  };
  const int along_bits = std::min(kBits / 2, bits_for(along_));
  across_bits_ = std::min(kBits - along_bits, bits_for(across_));
  along_bits_ = kBits - across_bits_;
}

std::string CudaTransposeSquares::PlaceOf(char direction) const {
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

std::string CudaTransposeSquares::PackType(const CudaAccess& access) const {
  return absl::StrCat("Pack<", CudaMemoryType(access.type), ", ", width_, ">");
}

bool CudaTransposeSquares::IsPacked(const CudaAccess& access) const {
  return IsPackable(access, along_.last, width_, work_.loops);
}

void CudaTransposeSquares::SetPlace(CudaKernelText& text,
                                    ElementEmitter& emitter,
                                    absl::string_view along,
                                    absl::string_view across) const {
  emitter.set_variable(along_.last, text.NamedIndex(std::string(along)));
  emitter.set_variable(across_.last, text.NamedIndex(std::string(across)));
}

void CudaTransposeSquares::Emit(CudaKernelText& text,
                                ElementEmitter& emitter) const {
  CudaLines& lines = text.lines();
  lines.Add(absl::StrCat("const idx a = along + ", width_, " * idx(",
                         PlaceOf('a'), ");"));
  lines.Add(absl::StrCat("const idx c = across + ", width_, " * idx(",
                         PlaceOf('c'), ");"));
  lines.Open(
      absl::StrCat("if (a < ", along_.size, " && c < ", across_.size, ")"));
  EmitLoads(text, emitter);
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
  EmitLanes(text, emitter);
  SetPlace(text, emitter, "a", "ck");
  for (size_t i = 0; i < work_.stores.size(); ++i) {
    const CudaAccess& store = work_.stores[i];
    lines.Add(absl::StrCat(PackType(store), "::Store(q", i, ", b", store.buffer,
                           " + ", text.NameOf(emitter.Position(store.offset)),
                           ");"));
  }
  emitter.EndScope();
  lines.Close();
  lines.Close();
}

void CudaTransposeSquares::EmitLoads(CudaKernelText& text,
                                     ElementEmitter& emitter) const {
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
    lines.Add(absl::StrCat(PackType(load), "::Load(t", i, "[j], b", load.buffer,
                           " + ", text.NameOf(emitter.Position(load.offset)),
                           ");"));
  }
  lines.Close();
}

void CudaTransposeSquares::EmitLanes(CudaKernelText& text,
                                     ElementEmitter& emitter) const {
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

}  // namespace lockstep::internal
