#include <algorithm>
#include <complex>
#include <type_traits>
#include <vector>

#include "runtime/backends/cpu/matrix_multiply.h"
#include "runtime/ops/element_types.h"
#include "runtime/ops/scalar_math.h"

namespace lockstep {
namespace {

using DimList = absl::InlinedVector<DotLayout::Dim, 4>;

// A tile of the result that stays in registers.
constexpr int64_t kRows = 4;
constexpr int64_t kColumns = 32;

// acc[r][c] = sum over k of a[k][r] * b[k][c].
template <typename C>
[[gnu::always_inline]] inline void MultiplyTile(int64_t k, const C* a,
                                                const C* b, C* out) {
  C acc[kRows][kColumns] = {};
  for (int64_t l = 0; l < k; ++l, a += kRows, b += kColumns) {
    for (int64_t r = 0; r < kRows; ++r) {
      for (int64_t c = 0; c < kColumns; ++c) {
        acc[r][c] = AddScalars()(acc[r][c], MultiplyScalars()(a[r], b[c]));
      }
    }
  }
  std::copy_n(&acc[0][0], kRows * kColumns, out);
}

template <typename C>
void MultiplyTilePlain(int64_t k, const C* a, const C* b, C* out) {
  MultiplyTile(k, a, b, out);
}
#if defined(__x86_64__)
template <typename C>
[[gnu::target("avx2,fma")]] void MultiplyTileAvx2(int64_t k, const C* a,
                                                  const C* b, C* out) {
  MultiplyTile(k, a, b, out);
}
template <typename C>
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")]]
void MultiplyTileAvx512(int64_t k, const C* a, const C* b, C* out) {
  MultiplyTile(k, a, b, out);
}
#endif

template <typename C>
using TileFunction = void (*)(int64_t, const C*, const C*, C*);

template <typename C>
TileFunction<C> BestTileFunction() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return MultiplyTileAvx512<C>;
  }
  if (__builtin_cpu_supports("avx2")) return MultiplyTileAvx2<C>;
#endif
  return MultiplyTilePlain<C>;
}

// Offsets in elements of every index of `dims`, in row-major order.
std::vector<int64_t> Offsets(const DimList& dims,
                             int64_t DotLayout::Dim::* stride) {
  std::vector<int64_t> offsets = {0};
  for (const DotLayout::Dim& dim : dims) {
    std::vector<int64_t> finer;
    finer.reserve(offsets.size() * static_cast<size_t>(dim.size));
    for (int64_t offset : offsets) {
      for (int64_t i = 0; i < dim.size; ++i) {
        finer.push_back(offset + i * (dim.*stride));
      }
    }
    offsets = std::move(finer);
  }
  return offsets;
}

template <typename T>
class BlockedMatrixMultiply : public MatrixMultiply {
 public:
  using C = ComputeType<T>;

  explicit BlockedMatrixMultiply(const DotLayout& layout)
      : batch_lhs_(Offsets(layout.batch, &DotLayout::Dim::lhs_stride)),
        batch_rhs_(Offsets(layout.batch, &DotLayout::Dim::rhs_stride)),
        batch_result_(Offsets(layout.batch, &DotLayout::Dim::result_stride)),
        m_lhs_(Offsets(layout.m, &DotLayout::Dim::lhs_stride)),
        m_result_(Offsets(layout.m, &DotLayout::Dim::result_stride)),
        n_rhs_(Offsets(layout.n, &DotLayout::Dim::rhs_stride)),
        n_result_(Offsets(layout.n, &DotLayout::Dim::result_stride)),
        k_lhs_(Offsets(layout.k, &DotLayout::Dim::lhs_stride)),
        k_rhs_(Offsets(layout.k, &DotLayout::Dim::rhs_stride)),
        tile_(BestTileFunction<C>()) {}

  absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                   std::byte* result, int threads) const override {
    const bool is_small = m_lhs_.size() * n_rhs_.size() * k_lhs_.size() <= 4096;
    for (size_t b = 0; b < batch_lhs_.size(); ++b) {
      const T* x = reinterpret_cast<const T*>(lhs) + batch_lhs_[b];
      const T* y = reinterpret_cast<const T*>(rhs) + batch_rhs_[b];
      T* z = reinterpret_cast<T*>(result) + batch_result_[b];
      if (is_small) {
        MultiplyDirectly(x, y, z);
      } else {
        MultiplyPacked(x, y, z);
      }
    }
    return absl::OkStatus();
  }

 private:
  void MultiplyDirectly(const T* x, const T* y, T* z) const {
    for (size_t i = 0; i < m_lhs_.size(); ++i) {
      for (size_t j = 0; j < n_rhs_.size(); ++j) {
        C sum = {};
        for (size_t l = 0; l < k_lhs_.size(); ++l) {
          sum = AddScalars()(
              sum, MultiplyScalars()(static_cast<C>(x[m_lhs_[i] + k_lhs_[l]]),
                                     static_cast<C>(y[n_rhs_[j] + k_rhs_[l]])));
        }
        z[m_result_[i] + n_result_[j]] = static_cast<T>(sum);
      }
    }
  }

  // [k][width] of an operand from row or column `first` on; zeros beyond.
  static void Pack(const T* from, const std::vector<int64_t>& offsets,
                   const std::vector<int64_t>& k_offsets, int64_t first,
                   int64_t width, C* packed) {
    const int64_t count =
        std::min(width, static_cast<int64_t>(offsets.size()) - first);
    for (const int64_t k : k_offsets) {
      for (int64_t i = 0; i < count; ++i) {
        packed[i] = static_cast<C>(from[offsets[first + i] + k]);
      }
      std::fill(packed + count, packed + width, C{});
      packed += width;
    }
  }

  void MultiplyPacked(const T* x, const T* y, T* z) const {
    const int64_t m = static_cast<int64_t>(m_lhs_.size());
    const int64_t n = static_cast<int64_t>(n_rhs_.size());
    const int64_t k = static_cast<int64_t>(k_lhs_.size());
    const int64_t row_tiles = (m + kRows - 1) / kRows;
    const auto rows = std::make_unique<C[]>(row_tiles * kRows * k);
    for (int64_t i = 0; i < row_tiles; ++i) {
      Pack(x, m_lhs_, k_lhs_, i * kRows, kRows, &rows[i * kRows * k]);
    }
    const auto columns = std::make_unique<C[]>(kColumns * k);
    C tile[kRows * kColumns];
    for (int64_t j = 0; j < n; j += kColumns) {
      Pack(y, n_rhs_, k_rhs_, j, kColumns, columns.get());
      for (int64_t i = 0; i < m; i += kRows) {
        tile_(k, &rows[i * k], columns.get(), tile);
        for (int64_t r = 0; r < std::min(kRows, m - i); ++r) {
          for (int64_t c = 0; c < std::min(kColumns, n - j); ++c) {
            z[m_result_[i + r] + n_result_[j + c]] =
                static_cast<T>(tile[r * kColumns + c]);
          }
        }
      }
    }
  }

  const std::vector<int64_t> batch_lhs_, batch_rhs_, batch_result_;
  const std::vector<int64_t> m_lhs_, m_result_;
  const std::vector<int64_t> n_rhs_, n_result_;
  const std::vector<int64_t> k_lhs_, k_rhs_;
  const TileFunction<C> tile_;
};

template <typename T>
constexpr bool kHasProduct =
    kNumberTypes.Contains(ElementTypeOf<T>::value) || std::is_same_v<T, bool>;

}  // namespace

std::unique_ptr<MatrixMultiply> MakeBlockedMatrixMultiply(
    const DotLayout& layout, ElementType type) {
  return DispatchElementType(
      type,
      [&]<typename T>(
          std::type_identity<T>) -> std::unique_ptr<MatrixMultiply> {
        if constexpr (kHasProduct<T>) {
          return std::make_unique<BlockedMatrixMultiply<T>>(layout);
        } else {
          return nullptr;
        }
      });
}

}  // namespace lockstep
