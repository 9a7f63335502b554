#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/backends/cpu/contraction/matrix_multiply.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/backends/cpu/threads/parallel_for.h"

namespace lockstep::internal {
namespace {

// A tile of the result that stays in registers: so many rows, and two vectors
// of columns.
constexpr int64_t kRows = 4;
constexpr int64_t kMaxColumns = 32;
// Rows, columns, and pairs of products of each sum, that are packed at once.
constexpr int64_t kRowsPerBlock = 128;
constexpr int64_t kColumnsPerBlock = 512;
constexpr int64_t kPairsPerBlock = 256;
// What a thread should have to do.
constexpr int64_t kWorkPerPiece = int64_t{1} << 20;
// Products with fewer columns are computed with lhs and rhs exchanged.
constexpr int64_t kFewColumns = 8;

using Pair = std::array<int16_t, 2>;

// out[r][c] = sum over k of a[k][r] . b[k][c], with `width` columns. Sums wrap.
using TileFunction = void (*)(int64_t k, const Pair* a, const Pair* b,
                              int32_t* out);

template <int64_t kColumns>
void MultiplyTilePlain(int64_t k, const Pair* a, const Pair* b, int32_t* out) {
  uint32_t sums[kRows][kColumns] = {};
  for (int64_t l = 0; l < k; ++l, a += kRows, b += kColumns) {
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t c = 0; c < kColumns; ++c) {
        sums[r][c] += static_cast<uint32_t>(a[r][0] * b[c][0]) +
                      static_cast<uint32_t>(a[r][1] * b[c][1]);
      }
    }
  }
  std::memcpy(out, sums, sizeof(sums));
}

#if defined(__x86_64__)
#define LOCKSTEP_PAIRS_TILE(NAME, TARGET, VECTOR, PREFIX, LOAD, STORE)       \
  [[gnu::target(TARGET)]] void NAME(int64_t k, const Pair* a, const Pair* b, \
                                    int32_t* out) {                          \
    constexpr int64_t kLanes = sizeof(VECTOR) / sizeof(Pair);                \
    VECTOR sums[kRows][2] = {};                                              \
    for (int64_t l = 0; l < k; ++l, a += kRows, b += 2 * kLanes) {           \
      const VECTOR low = LOAD(reinterpret_cast<const VECTOR*>(b));           \
      const VECTOR high = LOAD(reinterpret_cast<const VECTOR*>(b + kLanes)); \
      for (int64_t r = 0; r < kRows; ++r) {                                  \
        int32_t pair;                                                        \
        std::memcpy(&pair, &a[r], sizeof(pair));                             \
        const VECTOR x = PREFIX##_set1_epi32(pair);                          \
        sums[r][0] =                                                         \
            PREFIX##_add_epi32(sums[r][0], PREFIX##_madd_epi16(x, low));     \
        sums[r][1] =                                                         \
            PREFIX##_add_epi32(sums[r][1], PREFIX##_madd_epi16(x, high));    \
      }                                                                      \
    }                                                                        \
    for (int64_t r = 0; r < kRows; ++r) {                                    \
      for (int64_t part = 0; part < 2; ++part, out += kLanes) {              \
        STORE(reinterpret_cast<VECTOR*>(out), sums[r][part]);                \
      }                                                                      \
    }                                                                        \
  }
LOCKSTEP_PAIRS_TILE(MultiplyTileSse2, "sse2", __m128i, _mm, _mm_loadu_si128,
                    _mm_storeu_si128)
LOCKSTEP_PAIRS_TILE(MultiplyTileAvx2, "avx2", __m256i, _mm256,
                    _mm256_loadu_si256, _mm256_storeu_si256)
LOCKSTEP_PAIRS_TILE(MultiplyTileAvx512, "avx512f,avx512bw", __m512i, _mm512,
                    _mm512_loadu_si512, _mm512_storeu_si512)
#undef LOCKSTEP_PAIRS_TILE
#endif

struct Tile {
  TileFunction run;
  int64_t columns;
};

Tile BestTile() {
#if defined(__x86_64__)
  const CpuTarget& target = CpuTarget::OfProcess();
  if (target.has(InstructionSet::kAvx512)) return {MultiplyTileAvx512, 32};
  if (target.has(InstructionSet::kAvx2)) return {MultiplyTileAvx2, 16};
  return {MultiplyTileSse2, 8};
#else
  return {MultiplyTilePlain<8>, 8};
#endif
}

// One operand: rows of lhs or columns of rhs, and what is summed over.
struct Lines {
  ElementType type;
  std::vector<int64_t> lines, k;  // offsets in elements

  // The pairs [k / 2][width] of the lines from `first` on and of the products
  // from `k_first` to `k_end`; zeros beyond.
  template <typename T>
  void Pack(const T* from, int64_t first, int64_t width, int64_t k_first,
            int64_t k_end, Pair* packed) const {
    const int64_t count =
        std::min(width, static_cast<int64_t>(lines.size()) - first);
    const int64_t* at = lines.data() + first;
    bool is_dense = true;
    for (int64_t i = 1; i < count; ++i) is_dense &= at[i] == at[0] + i;
    for (int64_t l = k_first; l < k_end; l += 2, packed += width) {
      const bool has_second = l + 1 < k_end;
      const T* x = from + k[l];
      const T* y = has_second ? from + k[l + 1] : x;
      const int16_t mask = has_second ? -1 : 0;
      if (is_dense) {
        x += at[0], y += at[0];
        for (int64_t i = 0; i < count; ++i) {
          packed[i][0] = x[i];
          packed[i][1] = static_cast<int16_t>(y[i] & mask);
        }
      } else {
        for (int64_t i = 0; i < count; ++i) {
          packed[i][0] = x[at[i]];
          packed[i][1] = static_cast<int16_t>(y[at[i]] & mask);
        }
      }
      for (int64_t i = count; i < width; ++i) packed[i] = {};
    }
  }

  // Elements of any type.
  void Pack(const std::byte* from, int64_t first, int64_t width,
            int64_t k_first, int64_t k_end, Pair* packed) const {
    const auto pack = [&](const auto* data) {
      Pack(data, first, width, k_first, k_end, packed);
    };
    switch (type) {
      case ElementType::kS8:
        return pack(reinterpret_cast<const int8_t*>(from));
      case ElementType::kU8:
        return pack(reinterpret_cast<const uint8_t*>(from));
      default:
        return pack(reinterpret_cast<const int16_t*>(from));
    }
  }
};

bool HasPairs(ElementType type) {
  return type == ElementType::kS8 || type == ElementType::kU8 ||
         type == ElementType::kS16;
}

class PairsMatrixMultiply : public MatrixMultiply {
 public:
  PairsMatrixMultiply(const DotLayout& layout, ElementType lhs, ElementType rhs,
                      bool is_exchanged)
      : is_exchanged_(is_exchanged),
        tile_(BestTile()),
        rows_{lhs, DotLayout::Offsets(layout.m, &DotLayout::Dim::lhs_stride),
              DotLayout::Offsets(layout.k, &DotLayout::Dim::lhs_stride)},
        columns_{rhs, DotLayout::Offsets(layout.n, &DotLayout::Dim::rhs_stride),
                 DotLayout::Offsets(layout.k, &DotLayout::Dim::rhs_stride)},
        batch_lhs_(
            DotLayout::Offsets(layout.batch, &DotLayout::Dim::lhs_stride)),
        batch_rhs_(
            DotLayout::Offsets(layout.batch, &DotLayout::Dim::rhs_stride)),
        batch_result_(
            DotLayout::Offsets(layout.batch, &DotLayout::Dim::result_stride)),
        m_result_(DotLayout::Offsets(layout.m, &DotLayout::Dim::result_stride)),
        n_result_(
            DotLayout::Offsets(layout.n, &DotLayout::Dim::result_stride)) {}

  absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                   std::byte* result, int threads) const override {
    if (is_exchanged_) std::swap(lhs, rhs);
    const int64_t m = static_cast<int64_t>(m_result_.size());
    const int64_t n = static_cast<int64_t>(n_result_.size());
    const int64_t row_blocks = (m + kRowsPerBlock - 1) / kRowsPerBlock;
    const int64_t column_blocks = (n + kColumnsPerBlock - 1) / kColumnsPerBlock;
    const int64_t blocks = row_blocks * column_blocks;
    const int64_t units = static_cast<int64_t>(batch_result_.size()) * blocks;
    const int64_t work = std::min(m, kRowsPerBlock) *
                         std::min(n, kColumnsPerBlock) *
                         std::max<int64_t>(1, std::ssize(rows_.k));
    const int64_t together = std::max<int64_t>(1, kWorkPerPiece / work);
    ParallelFor(threads, (units + together - 1) / together, [&](int64_t piece) {
      const int64_t end = std::min(units, (piece + 1) * together);
      for (int64_t unit = piece * together; unit < end; ++unit) {
        const int64_t b = unit / blocks;
        const int64_t row = unit % blocks / column_blocks * kRowsPerBlock;
        const int64_t column = unit % column_blocks * kColumnsPerBlock;
        MultiplyBlock(lhs + batch_lhs_[b] * ByteSize(rows_.type),
                      rhs + batch_rhs_[b] * ByteSize(columns_.type),
                      reinterpret_cast<uint32_t*>(result) + batch_result_[b],
                      {row, std::min(m, row + kRowsPerBlock), column,
                       std::min(n, column + kColumnsPerBlock)});
      }
    });
    return absl::OkStatus();
  }

 private:
  // Of the result.
  struct Block {
    int64_t first_row, end_row, first_column, end_column;
  };

  void MultiplyBlock(const std::byte* x, const std::byte* y, uint32_t* z,
                     const Block& block) const {
    const int64_t k = std::ssize(rows_.k);
    const int64_t room = std::min(kPairsPerBlock, (k + 1) / 2);
    const int64_t row_tiles =
        (block.end_row - block.first_row + kRows - 1) / kRows;
    const auto rows =
        std::make_unique_for_overwrite<Pair[]>(row_tiles * kRows * room);
    const auto columns =
        std::make_unique_for_overwrite<Pair[]>(tile_.columns * room);
    for (int64_t l = 0; l == 0 || l < k; l += 2 * kPairsPerBlock) {
      const int64_t end = std::min(k, l + 2 * kPairsPerBlock);
      const int64_t pairs = (end - l + 1) / 2;
      for (int64_t i = 0; i < row_tiles; ++i) {
        rows_.Pack(x, block.first_row + i * kRows, kRows, l, end,
                   rows.get() + i * kRows * pairs);
      }
      for (int64_t j = block.first_column; j < block.end_column;
           j += tile_.columns) {
        columns_.Pack(y, j, tile_.columns, l, end, columns.get());
        MultiplyTiles(pairs, rows.get(), columns.get(), z, block, j, l != 0);
      }
    }
  }

  // The columns of the block from j on, as many as were packed. `adds`: to what
  // is there.
  void MultiplyTiles(int64_t pairs, const Pair* rows, const Pair* columns,
                     uint32_t* z, const Block& block, int64_t j,
                     bool adds) const {
    alignas(64) int32_t sums[kRows * kMaxColumns];
    const int64_t count = std::min(tile_.columns, block.end_column - j);
    for (int64_t i = block.first_row; i < block.end_row;
         i += kRows, rows += kRows * pairs) {
      tile_.run(pairs, rows, columns, sums);
      for (int64_t r = 0; r < std::min(kRows, block.end_row - i); ++r) {
        uint32_t* to = z + m_result_[i + r];
        const int32_t* from = sums + r * tile_.columns;
        for (int64_t c = 0; c < count; ++c) {
          uint32_t& sum = to[n_result_[j + c]];
          sum = (adds ? sum : 0) + static_cast<uint32_t>(from[c]);
        }
      }
    }
  }

  const bool is_exchanged_;
  const Tile tile_;
  const Lines rows_, columns_;
  const std::vector<int64_t> batch_lhs_, batch_rhs_, batch_result_;
  const std::vector<int64_t> m_result_, n_result_;
};

}  // namespace

std::unique_ptr<MatrixMultiply> MakePairsMatrixMultiply(const DotLayout& layout,
                                                        ElementType lhs,
                                                        ElementType rhs) {
  if (!HasPairs(lhs) || !HasPairs(rhs) || !layout.is_listable()) return nullptr;
  if (layout.n_count() >= kFewColumns || layout.n_count() >= layout.m_count()) {
    return std::make_unique<PairsMatrixMultiply>(layout, lhs, rhs, false);
  }
  return std::make_unique<PairsMatrixMultiply>(layout.Exchanged(), rhs, lhs,
                                               true);
}

}  // namespace lockstep::internal
