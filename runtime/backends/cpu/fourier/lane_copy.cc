#include "runtime/backends/cpu/fourier/lane_copy.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "runtime/backends/cpu/processor/cpu_target.h"

namespace lockstep::internal {
namespace {

// Elements of a sequence that are copied at once: a cache line where they are
// neighbours.
template <typename R>
constexpr int64_t kBlock = 32 / sizeof(R);

// Neighbouring lanes are neighbours in memory, and all are there.
template <typename R>
bool AreAdjacent(const LaneAddresses<R>& addresses) {
  constexpr int64_t kLanes = LaneAddresses<R>::kLanes;
  if (addresses.width != kLanes) return false;
  for (int64_t l = 1; l < kLanes; ++l) {
    if (addresses.first[l] != addresses.first[0] + l) return false;
  }
  return true;
}

#define LOCKSTEP_INLINE [[gnu::always_inline]] inline

// Vectors of the processor's width. N numbers are one, so that N rows are a
// square tile: sequences in memory and parts of their elements in lanes, or the
// other way round.
template <typename R, int kBytes>
struct Tile {
  typedef R V __attribute__((vector_size(kBytes)));
  using Index = std::conditional_t<sizeof(R) == 4, int32_t, int64_t>;
  typedef Index Mask __attribute__((vector_size(kBytes)));
  static constexpr int N = kBytes / sizeof(R);

  // Vectors are not returned: how depends on the instruction set.
  LOCKSTEP_INLINE static void Load(const R* from, V& v) {
    std::memcpy(&v, from, kBytes);
  }
  LOCKSTEP_INLINE static void Store(const V& v, R* to) {
    std::memcpy(to, &v, kBytes);
  }
  // a[first], b[first], a[first + 1], ..: N numbers.
  LOCKSTEP_INLINE static void Interleave(const V& a, const V& b, int first,
                                         V& mixed) {
    Mask mask;
    for (int i = 0; i < N; ++i) {
      mask[i] = static_cast<Index>(i % 2 * N + first + i / 2);
    }
    mixed = __builtin_shuffle(a, b, mask);
  }
  // Every second number of a and b, from number `first` on, to memory.
  LOCKSTEP_INLINE static void Separate(const V& a, const V& b, int first,
                                       R* to) {
    Mask mask;
    for (int i = 0; i < N; ++i) mask[i] = static_cast<Index>(2 * i + first);
    Store(__builtin_shuffle(a, b, mask), to);
  }
  // Interleaving the rows of the upper half with those of the lower half, as
  // often as halving leads to one row.
  LOCKSTEP_INLINE static void Transpose(V* rows) {
    V next[N];
#pragma GCC unroll 4
    for (int rest = N; rest > 1; rest /= 2) {
#pragma GCC unroll 8
      for (int i = 0; i < N / 2; ++i) {
        Interleave(rows[i], rows[i + N / 2], 0, next[2 * i]);
        Interleave(rows[i], rows[i + N / 2], N / 2, next[2 * i + 1]);
      }
#pragma GCC unroll 16
      for (int i = 0; i < N; ++i) rows[i] = next[i];
    }
  }
};

// Elements [0, count) of sequences, one after the other or side by side in
// memory, to lanes or back. Of sequences one after the other only whole cache
// lines: returns how many elements were copied.
template <int kBytes, typename R>
LOCKSTEP_INLINE int64_t LoadRows(const R* parts,
                                 const LaneAddresses<R>& addresses,
                                 int64_t count, bool swaps, R* lanes) {
  using T = Tile<R, kBytes>;
  constexpr int64_t kLanes = LaneAddresses<R>::kLanes;
  int64_t j = 0;
  for (; j + kBlock<R> <= count; j += kBlock<R>) {
    for (int64_t lane = 0; lane < kLanes; lane += T::N) {
      for (int64_t part = 2 * j; part < 2 * (j + kBlock<R>); part += T::N) {
        typename T::V rows[T::N];
#pragma GCC unroll 16
        for (int i = 0; i < T::N; ++i) {
          T::Load(parts + 2 * addresses.first[lane + i] + part, rows[i]);
        }
        T::Transpose(rows);
        R* to = lanes + part * kLanes + lane;
#pragma GCC unroll 16
        for (int i = 0; i < T::N; ++i) {
          T::Store(rows[i], to + (i ^ static_cast<int>(swaps)) * kLanes);
        }
      }
    }
  }
  return j;
}

template <int kBytes, typename R>
LOCKSTEP_INLINE int64_t StoreRows(const R* lanes,
                                  const LaneAddresses<R>& addresses,
                                  int64_t count, bool swaps, R scale,
                                  R* parts) {
  using T = Tile<R, kBytes>;
  constexpr int64_t kLanes = LaneAddresses<R>::kLanes;
  int64_t j = 0;
  for (; j + kBlock<R> <= count; j += kBlock<R>) {
    for (int64_t lane = 0; lane < kLanes; lane += T::N) {
      for (int64_t part = 2 * j; part < 2 * (j + kBlock<R>); part += T::N) {
        typename T::V rows[T::N];
        const R* from = lanes + part * kLanes + lane;
#pragma GCC unroll 16
        for (int i = 0; i < T::N; ++i) {
          T::Load(from + (i ^ static_cast<int>(swaps)) * kLanes, rows[i]);
          rows[i] *= scale;
        }
        T::Transpose(rows);
#pragma GCC unroll 16
        for (int i = 0; i < T::N; ++i) {
          T::Store(rows[i], parts + 2 * addresses.first[lane + i] + part);
        }
      }
    }
  }
  return j;
}

template <int kBytes, typename R>
LOCKSTEP_INLINE void LoadAdjacent(const R* x, int64_t step, int64_t count,
                                  bool swaps, R* lanes) {
  using T = Tile<R, kBytes>;
  constexpr int64_t kLanes = LaneAddresses<R>::kLanes;
  R* re = lanes + (swaps ? kLanes : 0);
  R* im = lanes + (swaps ? 0 : kLanes);
  for (int64_t j = 0; j < count; ++j, x += step) {
    for (int64_t l = 0; l < kLanes; l += T::N) {
      typename T::V a, b;
      T::Load(x + 2 * l, a);
      T::Load(x + 2 * l + T::N, b);
      T::Separate(a, b, 0, re + l);
      T::Separate(a, b, 1, im + l);
    }
    re += 2 * kLanes;
    im += 2 * kLanes;
  }
}

template <int kBytes, typename R>
LOCKSTEP_INLINE void StoreAdjacent(const R* lanes, int64_t step, int64_t count,
                                   bool swaps, R scale, R* x) {
  using T = Tile<R, kBytes>;
  constexpr int64_t kLanes = LaneAddresses<R>::kLanes;
  const R* re = lanes + (swaps ? kLanes : 0);
  const R* im = lanes + (swaps ? 0 : kLanes);
  for (int64_t j = 0; j < count; ++j, x += step) {
    for (int64_t l = 0; l < kLanes; l += T::N) {
      typename T::V a, b, low, high;
      T::Load(re + l, a);
      T::Load(im + l, b);
      a *= scale;
      b *= scale;
      T::Interleave(a, b, 0, low);
      T::Interleave(a, b, T::N / 2, high);
      T::Store(low, x + 2 * l);
      T::Store(high, x + 2 * l + T::N);
    }
    re += 2 * kLanes;
    im += 2 * kLanes;
  }
}

// The four for one instruction set.
template <typename R>
struct Copies {
  int64_t (*load_rows)(const R*, const LaneAddresses<R>&, int64_t, bool, R*);
  int64_t (*store_rows)(const R*, const LaneAddresses<R>&, int64_t, bool, R,
                        R*);
  void (*load_adjacent)(const R*, int64_t, int64_t, bool, R*);
  void (*store_adjacent)(const R*, int64_t, int64_t, bool, R, R*);
};

#define LOCKSTEP_LANE_COPIES(SUFFIX, BYTES, ...)                               \
  template <typename R>                                                        \
  __VA_ARGS__ int64_t LoadRows##SUFFIX(const R* parts,                         \
                                       const LaneAddresses<R>& addresses,      \
                                       int64_t count, bool swaps, R* lanes) {  \
    return LoadRows<BYTES>(parts, addresses, count, swaps, lanes);             \
  }                                                                            \
  template <typename R>                                                        \
  __VA_ARGS__ int64_t StoreRows##SUFFIX(                                       \
      const R* lanes, const LaneAddresses<R>& addresses, int64_t count,        \
      bool swaps, R scale, R* parts) {                                         \
    return StoreRows<BYTES>(lanes, addresses, count, swaps, scale, parts);     \
  }                                                                            \
  template <typename R>                                                        \
  __VA_ARGS__ void LoadAdjacent##SUFFIX(const R* x, int64_t step,              \
                                        int64_t count, bool swaps, R* lanes) { \
    LoadAdjacent<BYTES>(x, step, count, swaps, lanes);                         \
  }                                                                            \
  template <typename R>                                                        \
  __VA_ARGS__ void StoreAdjacent##SUFFIX(const R* lanes, int64_t step,         \
                                         int64_t count, bool swaps, R scale,   \
                                         R* x) {                               \
    StoreAdjacent<BYTES>(lanes, step, count, swaps, scale, x);                 \
  }                                                                            \
  template <typename R>                                                        \
  constexpr Copies<R> kCopies##SUFFIX = {                                      \
      LoadRows##SUFFIX<R>, StoreRows##SUFFIX<R>, LoadAdjacent##SUFFIX<R>,      \
      StoreAdjacent##SUFFIX<R>};
LOCKSTEP_LANE_COPIES(Plain, 16)
#if defined(__x86_64__)
LOCKSTEP_LANE_COPIES(Avx2, 32, [[gnu::target("avx2")]])
LOCKSTEP_LANE_COPIES(
    Avx512, 64,
    [[gnu::target(
        "avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")]])
#endif
#undef LOCKSTEP_LANE_COPIES

template <typename R>
const Copies<R>& BestCopies() {
#if defined(__x86_64__)
  const CpuTarget& target = CpuTarget::OfProcess();
  if (target.has(InstructionSet::kAvx512)) return kCopiesAvx512<R>;
  if (target.has(InstructionSet::kAvx2)) return kCopiesAvx2<R>;
#endif
  return kCopiesPlain<R>;
}

}  // namespace

template <typename R>
LaneAddresses<R> LaneAddresses<R>::Evenly(int64_t width, int64_t first,
                                          int64_t step, int64_t stride) {
  LaneAddresses addresses;
  addresses.width = width;
  addresses.stride = stride;
  for (int64_t l = 0; l < width; ++l) addresses.first[l] = first + l * step;
  return addresses;
}

template <typename R>
void LoadLanes(const std::complex<R>* from, const LaneAddresses<R>& addresses,
               int64_t count, bool swaps, R* lanes) {
  static const Copies<R>& copies = BestCopies<R>();
  constexpr int64_t kLanes = LaneAddresses<R>::kLanes;
  const R* parts = reinterpret_cast<const R*>(from);
  const int64_t step = 2 * addresses.stride;
  if (AreAdjacent(addresses)) {
    copies.load_adjacent(parts + 2 * addresses.first[0], step, count, swaps,
                         lanes);
    return;
  }
  int64_t j = 0;
  if (addresses.width < kLanes) {
    std::fill_n(lanes, 2 * kLanes * count, R{});
  } else if (addresses.stride == 1) {
    j = copies.load_rows(parts, addresses, count, swaps, lanes);
  }
  for (; j < count; j += kBlock<R>) {
    const int64_t end = std::min(kBlock<R>, count - j);
    R* re = lanes + 2 * kLanes * j + (swaps ? kLanes : 0);
    R* im = lanes + 2 * kLanes * j + (swaps ? 0 : kLanes);
    for (int64_t l = 0; l < addresses.width; ++l) {
      const R* x = parts + 2 * addresses.first[l] + j * step;
      for (int64_t i = 0; i < end; ++i) {
        re[2 * kLanes * i + l] = x[i * step];
        im[2 * kLanes * i + l] = x[i * step + 1];
      }
    }
  }
}

template <typename R>
void StoreLanes(const R* lanes, const LaneAddresses<R>& addresses,
                int64_t count, bool swaps, R scale, std::complex<R>* to) {
  static const Copies<R>& copies = BestCopies<R>();
  constexpr int64_t kLanes = LaneAddresses<R>::kLanes;
  R* parts = reinterpret_cast<R*>(to);
  const int64_t step = 2 * addresses.stride;
  if (AreAdjacent(addresses)) {
    copies.store_adjacent(lanes, step, count, swaps, scale,
                          parts + 2 * addresses.first[0]);
    return;
  }
  int64_t j = 0;
  if (addresses.width == kLanes && addresses.stride == 1) {
    j = copies.store_rows(lanes, addresses, count, swaps, scale, parts);
  }
  for (; j < count; j += kBlock<R>) {
    const int64_t end = std::min(kBlock<R>, count - j);
    const R* re = lanes + 2 * kLanes * j + (swaps ? kLanes : 0);
    const R* im = lanes + 2 * kLanes * j + (swaps ? 0 : kLanes);
    for (int64_t l = 0; l < addresses.width; ++l) {
      R* x = parts + 2 * addresses.first[l] + j * step;
      for (int64_t i = 0; i < end; ++i) {
        x[i * step] = re[2 * kLanes * i + l] * scale;
        x[i * step + 1] = im[2 * kLanes * i + l] * scale;
      }
    }
  }
}

#define LOCKSTEP_LANE_COPY(R)                                                \
  template struct LaneAddresses<R>;                                          \
  template void LoadLanes(const std::complex<R>*, const LaneAddresses<R>&,   \
                          int64_t, bool, R*);                                \
  template void StoreLanes(const R*, const LaneAddresses<R>&, int64_t, bool, \
                           R, std::complex<R>*)
LOCKSTEP_LANE_COPY(float);
LOCKSTEP_LANE_COPY(double);
#undef LOCKSTEP_LANE_COPY

}  // namespace lockstep::internal
