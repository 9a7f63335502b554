#include <algorithm>
#include <complex>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "runtime/backends/cpu/contraction/matrix_multiply.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/ops/element_types.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

// A tile of the result that stays in registers: kRows rows of one of two
// widths.
constexpr int64_t kRows = 4;
constexpr int64_t kWideColumns = 32;
constexpr int64_t kColumns = 16;
// Rows, and products of each sum, that are packed at once.
constexpr int64_t kRowsPerBlock = 128;
constexpr int64_t kProductsPerBlock = 512;
// What a thread should have to do.
constexpr int64_t kWorkPerPiece = int64_t{1} << 18;
// Products with fewer columns are computed with lhs and rhs exchanged.
constexpr int64_t kFewColumns = 8;
// Sums of up to so many complex products round each part of a product before it
// is added. Products whose parts cancel then cancel as they do in the reference
// evaluation; a longer sum has larger errors of its own.
constexpr int64_t kFewProducts = 16;

// acc[r][c] = sum over k of a[k][r] * b[k][c]. kBytes: of the processor's
// vectors.
template <int64_t kWidth, int kBytes, typename C>
[[gnu::always_inline]] inline void MultiplyTile(int64_t k, const C* a,
                                                const C* b, C* out) {
  C acc[kRows][kWidth] = {};
  for (int64_t l = 0; l < k; ++l, a += kRows, b += kWidth) {
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t c = 0; c < kWidth; ++c) {
        acc[r][c] = AddScalars()(acc[r][c], MultiplyScalars()(a[r], b[c]));
      }
    }
  }
  std::copy_n(&acc[0][0], kRows * kWidth, out);
}

template <typename R, int kBytes>
struct VectorOf {
  typedef R type [[gnu::vector_size(kBytes)]];
};

// Keeps the compiler from making the value part of a fused multiplication and
// addition.
template <typename V>
[[gnu::always_inline]] inline void Round(V& value) {
  asm("" : "+m"(value));
}

// Complex numbers: b[k] is kWidth real parts, then the imaginary parts. A
// vector of columns at a time.
template <int64_t kWidth, int kBytes, bool kRounds, typename R>
[[gnu::always_inline]] inline void MultiplyComplexTile(int64_t k,
                                                       const std::complex<R>* a,
                                                       const std::complex<R>* b,
                                                       std::complex<R>* out) {
  using V = typename VectorOf<R, kBytes>::type;
  constexpr int64_t kPart = kBytes / sizeof(R);
  for (int64_t first = 0; first < kWidth; first += kPart) {
    const R* x = reinterpret_cast<const R*>(a);
    const R* y = reinterpret_cast<const R*>(b) + first;
    V re[kRows] = {}, im[kRows] = {};
    for (int64_t l = 0; l < k; ++l, x += 2 * kRows, y += 2 * kWidth) {
      V p, q;
      std::memcpy(&p, y, sizeof(V));
      std::memcpy(&q, y + kWidth, sizeof(V));
      for (int64_t r = 0; r < kRows; ++r) {
        if constexpr (kRounds) {
          V parts[] = {x[2 * r] * p, x[2 * r + 1] * q, x[2 * r] * q,
                       x[2 * r + 1] * p};
          for (V& part : parts) Round(part);
          re[r] += parts[0] - parts[1];
          im[r] += parts[2] + parts[3];
        } else {
          re[r] += x[2 * r] * p;
          im[r] += x[2 * r] * q;
          re[r] -= x[2 * r + 1] * q;
          im[r] += x[2 * r + 1] * p;
        }
      }
    }
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t c = 0; c < kPart; ++c) {
        out[r * kWidth + first + c] = {re[r][c], im[r][c]};
      }
    }
  }
}

template <int64_t kWidth, int kBytes, typename R>
[[gnu::always_inline]] inline void MultiplyTile(int64_t k,
                                                const std::complex<R>* a,
                                                const std::complex<R>* b,
                                                std::complex<R>* out) {
  if (k <= kFewProducts) {
    MultiplyComplexTile<kWidth, kBytes, true>(k, a, b, out);
  } else {
    MultiplyComplexTile<kWidth, kBytes, false>(k, a, b, out);
  }
}

template <int64_t kWidth, typename C>
void MultiplyTilePlain(int64_t k, const C* a, const C* b, C* out) {
  MultiplyTile<kWidth, 16>(k, a, b, out);
}
#if defined(__x86_64__)
template <int64_t kWidth, typename C>
[[gnu::target("avx2,fma")]] void MultiplyTileAvx2(int64_t k, const C* a,
                                                  const C* b, C* out) {
  MultiplyTile<kWidth, 32>(k, a, b, out);
}
template <int64_t kWidth, typename C>
[[gnu::target(
    "avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")]] void
MultiplyTileAvx512(int64_t k, const C* a, const C* b, C* out) {
  MultiplyTile<kWidth, 64>(k, a, b, out);
}
#endif

template <typename C>
using TileFunction = void (*)(int64_t, const C*, const C*, C*);

template <int64_t kWidth, typename C>
TileFunction<C> BestTileFunction() {
#if defined(__x86_64__)
  const CpuTarget& target = CpuTarget::OfProcess();
  if (target.has(InstructionSet::kAvx512)) {
    return MultiplyTileAvx512<kWidth, C>;
  }
  if (target.has(InstructionSet::kAvx2)) {
    return MultiplyTileAvx2<kWidth, C>;
  }
#endif
  return MultiplyTilePlain<kWidth, C>;
}

// Memory for packed numbers; small ones need no allocation.
template <typename C>
class Scratch {
 public:
  explicit Scratch(int64_t count)
      : large_(count * sizeof(C) > sizeof(small_) ? new C[count] : nullptr) {}
  C* data() {
    return large_ != nullptr ? large_.get() : reinterpret_cast<C*>(small_);
  }

 private:
  alignas(64) std::byte small_[8192];
  const std::unique_ptr<C[]> large_;
};

template <typename T>
class BlockedMatrixMultiply : public MatrixMultiply {
 public:
  using C = ComputeType<T>;

  BlockedMatrixMultiply(const DotLayout& layout, bool is_exchanged)
      : is_exchanged_(is_exchanged),
        batch_lhs_(
            DotLayout::Offsets(layout.batch, &DotLayout::Dim::lhs_stride)),
        batch_rhs_(
            DotLayout::Offsets(layout.batch, &DotLayout::Dim::rhs_stride)),
        batch_result_(
            DotLayout::Offsets(layout.batch, &DotLayout::Dim::result_stride)),
        m_lhs_(DotLayout::Offsets(layout.m, &DotLayout::Dim::lhs_stride)),
        m_result_(DotLayout::Offsets(layout.m, &DotLayout::Dim::result_stride)),
        n_rhs_(DotLayout::Offsets(layout.n, &DotLayout::Dim::rhs_stride)),
        n_result_(DotLayout::Offsets(layout.n, &DotLayout::Dim::result_stride)),
        k_lhs_(DotLayout::Offsets(layout.k, &DotLayout::Dim::lhs_stride)),
        k_rhs_(DotLayout::Offsets(layout.k, &DotLayout::Dim::rhs_stride)),
        width_(kIsComplex<C> || layout.n_count() <= kColumns ? kColumns
                                                             : kWideColumns),
        tile_(width_ == kColumns ? BestTileFunction<kColumns, C>()
                                 : BestTileFunction<kWideColumns, C>()) {}

  absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                   std::byte* result, int threads) const override {
    if (is_exchanged_) std::swap(lhs, rhs);
    const int64_t m = static_cast<int64_t>(m_lhs_.size());
    const int64_t blocks = (m + kRowsPerBlock - 1) / kRowsPerBlock;
    const int64_t units = static_cast<int64_t>(batch_lhs_.size()) * blocks;
    const int64_t work = std::min(m, kRowsPerBlock) *
                         static_cast<int64_t>(n_rhs_.size() * k_lhs_.size());
    const int64_t together =
        std::max<int64_t>(1, kWorkPerPiece / std::max<int64_t>(1, work));
    ParallelFor(threads, (units + together - 1) / together, [&](int64_t piece) {
      const int64_t end = std::min(units, (piece + 1) * together);
      for (int64_t unit = piece * together; unit < end; ++unit) {
        const int64_t b = unit / blocks;
        const int64_t row = unit % blocks * kRowsPerBlock;
        MultiplyRows(reinterpret_cast<const T*>(lhs) + batch_lhs_[b],
                     reinterpret_cast<const T*>(rhs) + batch_rhs_[b],
                     reinterpret_cast<T*>(result) + batch_result_[b], row,
                     std::min(m, row + kRowsPerBlock));
      }
    });
    return absl::OkStatus();
  }

 private:
  // [k][width] of an operand from row or column `first` on; zeros beyond.
  static void Pack(const T* from, absl::Span<const int64_t> offsets,
                   absl::Span<const int64_t> k_offsets, int64_t first,
                   int64_t width, C* packed) {
    const int64_t count =
        std::min(width, static_cast<int64_t>(offsets.size()) - first);
    const int64_t* at = offsets.data() + first;
    bool is_dense = true;
    for (int64_t i = 1; i < count; ++i) is_dense &= at[i] == at[0] + i;
    for (const int64_t k : k_offsets) {
      const T* x = from + k;
      if (is_dense) {
        x += at[0];
        for (int64_t i = 0; i < count; ++i) packed[i] = static_cast<C>(x[i]);
      } else {
        for (int64_t i = 0; i < count; ++i) {
          packed[i] = static_cast<C>(x[at[i]]);
        }
      }
      for (int64_t i = count; i < width; ++i) packed[i] = C{};
      packed += width;
    }
  }

  // Columns, as the tile function wants them.
  void PackColumns(const T* from, absl::Span<const int64_t> k_offsets,
                   int64_t first, C* packed) const {
    Pack(from, n_rhs_, k_offsets, first, width_, packed);
    if constexpr (kIsComplex<C>) {
      using R = typename C::value_type;
      R* parts = reinterpret_cast<R*>(packed);
      for (size_t l = 0; l < k_offsets.size(); ++l, parts += 2 * kColumns) {
        R row[2 * kColumns];
        for (int64_t c = 0; c < kColumns; ++c) {
          row[c] = parts[2 * c];
          row[kColumns + c] = parts[2 * c + 1];
        }
        std::copy_n(row, 2 * kColumns, parts);
      }
    }
  }

  // Rows `first` .. `end` - 1 of the result.
  void MultiplyRows(const T* x, const T* y, T* z, int64_t first,
                    int64_t end) const {
    const int64_t k = static_cast<int64_t>(k_lhs_.size());
    // Sums of halves are rounded once: they are not stored in between.
    const int64_t step =
        std::is_same_v<T, C> ? std::min(k, kProductsPerBlock) : k;
    const int64_t row_tiles = (end - first + kRows - 1) / kRows;
    Scratch<C> rows(row_tiles * kRows * step), columns(width_ * step);
    for (int64_t l = 0; l < k; l += step) {
      const size_t count = std::min(step, k - l);
      const auto k_lhs = absl::MakeConstSpan(k_lhs_).subspan(l, count);
      const auto k_rhs = absl::MakeConstSpan(k_rhs_).subspan(l, count);
      for (int64_t i = 0; i < row_tiles; ++i) {
        Pack(x, m_lhs_, k_lhs, first + i * kRows, kRows,
             rows.data() + i * kRows * count);
      }
      for (int64_t j = 0; j < static_cast<int64_t>(n_rhs_.size());
           j += width_) {
        PackColumns(y, k_rhs, j, columns.data());
        MultiplyTiles(count, rows.data(), columns.data(), z, first, end, j,
                      l != 0);
      }
    }
  }

  // The columns of the result from j on, as many as were packed. `adds`: to
  // what is there.
  void MultiplyTiles(int64_t k, const C* rows, const C* columns, T* z,
                     int64_t first, int64_t end, int64_t j, bool adds) const {
    alignas(64) C tile[kRows * kWideColumns];
    const int64_t count =
        std::min(width_, static_cast<int64_t>(n_rhs_.size()) - j);
    for (int64_t i = first; i < end; i += kRows) {
      tile_(k, rows + (i - first) * k, columns, tile);
      for (int64_t r = 0; r < std::min(kRows, end - i); ++r) {
        T* to = z + m_result_[i + r];
        for (int64_t c = 0; c < count; ++c) {
          T& sum = to[n_result_[j + c]];
          const C part = tile[r * width_ + c];
          if constexpr (std::is_same_v<T, C>) {
            sum = adds ? AddScalars()(sum, part) : part;
          } else {
            sum = static_cast<T>(part);
          }
        }
      }
    }
  }

  const bool is_exchanged_;
  const std::vector<int64_t> batch_lhs_, batch_rhs_, batch_result_;
  const std::vector<int64_t> m_lhs_, m_result_;
  const std::vector<int64_t> n_rhs_, n_result_;
  const std::vector<int64_t> k_lhs_, k_rhs_;
  const int64_t width_;
  const TileFunction<C> tile_;
};

template <typename T>
constexpr bool kHasProduct =
    kNumberTypes.Contains(ElementTypeOf<T>::value) || std::is_same_v<T, bool>;

}  // namespace

std::unique_ptr<MatrixMultiply> MakeBlockedMatrixMultiply(
    const DotLayout& layout, ElementType type) {
  if (!layout.is_listable()) return nullptr;
  return DispatchElementType(
      type,
      [&]<typename T>(
          std::type_identity<T>) -> std::unique_ptr<MatrixMultiply> {
        if constexpr (kHasProduct<T>) {
          const bool exchanges = layout.n_count() < kFewColumns &&
                                 layout.n_count() < layout.m_count();
          return std::make_unique<BlockedMatrixMultiply<T>>(
              exchanges ? layout.Exchanged() : layout, exchanges);
        } else {
          return nullptr;
        }
      });
}

}  // namespace lockstep::internal
