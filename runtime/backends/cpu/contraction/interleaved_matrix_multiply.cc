#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/backends/cpu/contraction/matrix_multiply.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/backends/cpu/threads/parallel_for.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

// Sums that stay in registers: of some rows, for neighbouring matrices.
constexpr int64_t kRows = 4;
constexpr int64_t kMatrices = 32;
// Fewer matrices do not fill a vector.
constexpr int64_t kMinMatrices = 8;

template <typename T>
struct Tile {
  const T* rows[kRows];
  const T* column;
  const std::vector<int64_t>& k_lhs;
  const std::vector<int64_t>& k_rhs;
  int64_t matrices;
};

// sums[r][c] = sum over k of rows[r][k][c] * column[k][c].
template <typename T>
[[gnu::always_inline]] inline void MultiplyTile(const Tile<T>& tile,
                                                T (*sums)[kMatrices]) {
  const size_t k = tile.k_lhs.size();
  T acc[kRows][kMatrices] = {};
  if (tile.matrices == kMatrices) {
    for (size_t l = 0; l < k; ++l) {
      const T* y = tile.column + tile.k_rhs[l];
      for (int64_t r = 0; r < kRows; ++r) {
        const T* x = tile.rows[r] + tile.k_lhs[l];
        for (int64_t c = 0; c < kMatrices; ++c) {
          acc[r][c] = AddScalars()(acc[r][c], MultiplyScalars()(x[c], y[c]));
        }
      }
    }
    std::copy_n(&acc[0][0], kRows * kMatrices, &sums[0][0]);
    return;
  }
  std::fill_n(&sums[0][0], kRows * kMatrices, T{});
  for (size_t l = 0; l < k; ++l) {
    const T* y = tile.column + tile.k_rhs[l];
    for (int64_t r = 0; r < kRows; ++r) {
      const T* x = tile.rows[r] + tile.k_lhs[l];
      for (int64_t c = 0; c < tile.matrices; ++c) {
        sums[r][c] = AddScalars()(sums[r][c], MultiplyScalars()(x[c], y[c]));
      }
    }
  }
}

template <typename T>
void MultiplyTilePlain(const Tile<T>& tile, T (*sums)[kMatrices]) {
  MultiplyTile(tile, sums);
}
#if defined(__x86_64__)
template <typename T>
[[gnu::target("avx2,fma")]] void MultiplyTileAvx2(const Tile<T>& tile,
                                                  T (*sums)[kMatrices]) {
  MultiplyTile(tile, sums);
}
template <typename T>
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")]]
void MultiplyTileAvx512(const Tile<T>& tile, T (*sums)[kMatrices]) {
  MultiplyTile(tile, sums);
}
#endif

template <typename T>
using TileFunction = void (*)(const Tile<T>&, T (*)[kMatrices]);

template <typename T>
TileFunction<T> BestTileFunction() {
#if defined(__x86_64__)
  const CpuTarget& target = CpuTarget::OfProcess();
  if (target.has(InstructionSet::kAvx512)) {
    return MultiplyTileAvx512<T>;
  }
  if (target.has(InstructionSet::kAvx2)) {
    return MultiplyTileAvx2<T>;
  }
#endif
  return MultiplyTilePlain<T>;
}

template <typename T>
class InterleavedMatrixMultiply : public MatrixMultiply {
 public:
  explicit InterleavedMatrixMultiply(const DotLayout& layout)
      : matrices_(layout.batch[0].size),
        m_lhs_(DotLayout::Offsets(layout.m, &DotLayout::Dim::lhs_stride)),
        m_result_(DotLayout::Offsets(layout.m, &DotLayout::Dim::result_stride)),
        n_rhs_(DotLayout::Offsets(layout.n, &DotLayout::Dim::rhs_stride)),
        n_result_(DotLayout::Offsets(layout.n, &DotLayout::Dim::result_stride)),
        k_lhs_(DotLayout::Offsets(layout.k, &DotLayout::Dim::lhs_stride)),
        k_rhs_(DotLayout::Offsets(layout.k, &DotLayout::Dim::rhs_stride)),
        tile_(BestTileFunction<T>()) {}

  absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                   std::byte* result, int threads) const override {
    const int64_t parts = (matrices_ + kMatrices - 1) / kMatrices;
    const int64_t m = static_cast<int64_t>(m_lhs_.size());
    ParallelFor(threads, (m + kRows - 1) / kRows, [&](int64_t block) {
      for (int64_t part = 0; part < parts; ++part) {
        MultiplyRows(
            reinterpret_cast<const T*>(lhs), reinterpret_cast<const T*>(rhs),
            reinterpret_cast<T*>(result), block * kRows, part * kMatrices);
      }
    });
    return absl::OkStatus();
  }

 private:
  // Rows from `first` on, of the matrices from `matrix` on.
  void MultiplyRows(const T* lhs, const T* rhs, T* result, int64_t first,
                    int64_t matrix) const {
    const int64_t last = static_cast<int64_t>(m_lhs_.size()) - 1;
    Tile<T> tile{
        {}, nullptr, k_lhs_, k_rhs_, std::min(kMatrices, matrices_ - matrix)};
    for (int64_t r = 0; r < kRows; ++r) {
      tile.rows[r] = lhs + m_lhs_[std::min(first + r, last)] + matrix;
    }
    alignas(64) T sums[kRows][kMatrices];
    for (size_t j = 0; j < n_rhs_.size(); ++j) {
      tile.column = rhs + n_rhs_[j] + matrix;
      tile_(tile, sums);
      for (int64_t r = 0; r < kRows && first + r <= last; ++r) {
        std::copy_n(sums[r], tile.matrices,
                    result + m_result_[first + r] + n_result_[j] + matrix);
      }
    }
  }

  const int64_t matrices_;
  const std::vector<int64_t> m_lhs_, m_result_;
  const std::vector<int64_t> n_rhs_, n_result_;
  const std::vector<int64_t> k_lhs_, k_rhs_;
  const TileFunction<T> tile_;
};

}  // namespace

std::unique_ptr<MatrixMultiply> MakeInterleavedMatrixMultiply(
    const DotLayout& layout, ElementType type) {
  if (layout.batch.size() != 1 || !layout.is_listable()) return nullptr;
  const DotLayout::Dim& batch = layout.batch[0];
  if (batch.size < kMinMatrices || batch.lhs_stride != 1 ||
      batch.rhs_stride != 1 || batch.result_stride != 1) {
    return nullptr;
  }
  switch (type) {
    case ElementType::kF32:
      return std::make_unique<InterleavedMatrixMultiply<float>>(layout);
    case ElementType::kF64:
      return std::make_unique<InterleavedMatrixMultiply<double>>(layout);
    case ElementType::kS32:
      return std::make_unique<InterleavedMatrixMultiply<int32_t>>(layout);
    case ElementType::kS64:
      return std::make_unique<InterleavedMatrixMultiply<int64_t>>(layout);
    default:
      return nullptr;
  }
}

}  // namespace lockstep::internal
