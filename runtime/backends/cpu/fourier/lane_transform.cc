#include "runtime/backends/cpu/fourier/lane_transform.h"

#include <cmath>
#include <numbers>
#include <type_traits>
#include <utility>

#include "runtime/backends/cpu/processor/cpu_target.h"

namespace lockstep::internal {
namespace {

constexpr int kOddRadices[] = {3, 5, 7, 11, 13};

// A vector of the processor's own width: gcc makes poor code of wider ones.
template <typename R, int kBytes>
struct VectorOf {
  typedef R type [[gnu::vector_size(kBytes)]];
};

// A complex number in each of some lanes.
template <typename V>
struct Lanes {
  V re, im;
};

#define LOCKSTEP_INLINE [[gnu::always_inline]] inline

template <typename V>
LOCKSTEP_INLINE void Butterfly2(Lanes<V>& a, Lanes<V>& b) {
  const Lanes<V> difference = {a.re - b.re, a.im - b.im};
  a.re += b.re;
  a.im += b.im;
  b = difference;
}

// Results in order of their index: a, b, c, d.
template <typename V>
LOCKSTEP_INLINE void Butterfly4(Lanes<V>& a, Lanes<V>& b, Lanes<V>& c,
                                Lanes<V>& d) {
  Butterfly2(a, c);
  Butterfly2(b, d);
  Butterfly2(a, b);  // outputs 0 and 2
  const Lanes<V> one = {c.re + d.im, c.im - d.re};
  const Lanes<V> three = {c.re - d.im, c.im + d.re};
  c = b;
  b = one;
  d = three;
}

template <typename V>
LOCKSTEP_INLINE void Butterfly8(Lanes<V>* x) {
  using R = std::remove_reference_t<decltype(x[0].re[0])>;
  constexpr R kHalfRoot = std::numbers::sqrt2_v<R> / 2;
  Butterfly4(x[0], x[2], x[4], x[6]);
  Butterfly4(x[1], x[3], x[5], x[7]);
  const Lanes<V> a = {(x[3].re + x[3].im) * kHalfRoot,
                      (x[3].im - x[3].re) * kHalfRoot};
  const Lanes<V> b = {x[5].im, -x[5].re};
  const Lanes<V> c = {(x[7].im - x[7].re) * kHalfRoot,
                      -(x[7].re + x[7].im) * kHalfRoot};
  const Lanes<V> even[4] = {x[0], x[2], x[4], x[6]};
  const Lanes<V> odd[4] = {x[1], a, b, c};
  for (int k = 0; k < 4; ++k) {
    x[k] = {even[k].re + odd[k].re, even[k].im + odd[k].im};
    x[k + 4] = {even[k].re - odd[k].re, even[k].im - odd[k].im};
  }
}

// For an odd radix: outputs k and radix - k share their sums.
template <int kRadix, typename R, typename V>
LOCKSTEP_INLINE void ButterflyOdd(const R* roots, Lanes<V>* x) {
  constexpr int kHalf = kRadix / 2;
  Lanes<V> sum[kHalf], difference[kHalf];
  Lanes<V> total = x[0];
#pragma GCC unroll 8
  for (int j = 0; j < kHalf; ++j) {
    const Lanes<V>&a = x[j + 1], &b = x[kRadix - 1 - j];
    sum[j] = {a.re + b.re, a.im + b.im};
    difference[j] = {a.re - b.re, a.im - b.im};
    total.re += sum[j].re;
    total.im += sum[j].im;
  }
  const Lanes<V> first = x[0];
  x[0] = total;
#pragma GCC unroll 8
  for (int k = 1; k <= kHalf; ++k) {
    Lanes<V> even = first;
    Lanes<V> odd = {difference[0].re * roots[kRadix + k],
                    difference[0].im * roots[kRadix + k]};
#pragma GCC unroll 8
    for (int j = 0; j < kHalf; ++j) {
      const int angle = (j + 1) * k % kRadix;
      even.re += sum[j].re * roots[angle];
      even.im += sum[j].im * roots[angle];
      if (j == 0) continue;
      odd.re += difference[j].re * roots[kRadix + angle];
      odd.im += difference[j].im * roots[kRadix + angle];
    }
    x[k] = {even.re + odd.im, even.im - odd.re};
    x[kRadix - k] = {even.re - odd.im, even.im + odd.re};
  }
}

template <int kBytes, int kRadix, typename R>
LOCKSTEP_INLINE void RunPass(const typename LaneTransform<R>::Stage& pass,
                             const R* from, R* to) {
  using V = typename VectorOf<R, kBytes>::type;
  constexpr int kParts = 64 / kBytes;  // of the lanes
  const auto* x = reinterpret_cast<const V*>(from);
  auto* y = reinterpret_cast<V*>(to);
  const R* roots = pass.roots.data();
  const R* root = roots + 2 * kRadix;
  const int64_t count = pass.count, stride = pass.stride;
  for (int64_t p = 0; p < count; ++p, root += 2 * (kRadix - 1)) {
    for (int64_t i = 0; i < stride * kParts; ++i) {
      const int64_t q = i / kParts, part = i % kParts;
      Lanes<V> z[kRadix];
#pragma GCC unroll 16
      for (int k = 0; k < kRadix; ++k) {
        const V* at = x + 2 * kParts * (q + stride * (p + count * k)) + part;
        z[k] = {at[0], at[kParts]};
      }
      if constexpr (kRadix == 2) {
        Butterfly2(z[0], z[1]);
      } else if constexpr (kRadix == 4) {
        Butterfly4(z[0], z[1], z[2], z[3]);
      } else if constexpr (kRadix == 8) {
        Butterfly8(z);
      } else {
        ButterflyOdd<kRadix>(roots, z);
      }
      V* at = y + 2 * kParts * (q + stride * kRadix * p) + part;
      at[0] = z[0].re;
      at[kParts] = z[0].im;
#pragma GCC unroll 16
      for (int k = 1; k < kRadix; ++k) {
        const R re = root[2 * k - 2], im = root[2 * k - 1];
        V* output = at + 2 * kParts * stride * k;
        output[0] = z[k].re * re - z[k].im * im;
        output[kParts] = z[k].re * im + z[k].im * re;
      }
    }
  }
}

template <int kBytes, typename R>
LOCKSTEP_INLINE void RunAnyPass(const typename LaneTransform<R>::Stage& pass,
                                const R* x, R* y) {
  switch (pass.radix) {
    case 2:
      return RunPass<kBytes, 2>(pass, x, y);
    case 3:
      return RunPass<kBytes, 3>(pass, x, y);
    case 4:
      return RunPass<kBytes, 4>(pass, x, y);
    case 5:
      return RunPass<kBytes, 5>(pass, x, y);
    case 7:
      return RunPass<kBytes, 7>(pass, x, y);
    case 8:
      return RunPass<kBytes, 8>(pass, x, y);
    case 11:
      return RunPass<kBytes, 11>(pass, x, y);
    case 13:
      return RunPass<kBytes, 13>(pass, x, y);
  }
}

template <typename R>
void RunPassPlain(const typename LaneTransform<R>::Stage& pass, const R* x,
                  R* y) {
  RunAnyPass<16>(pass, x, y);
}
#if defined(__x86_64__)
template <typename R>
[[gnu::target("avx2,fma")]] void RunPassAvx2(
    const typename LaneTransform<R>::Stage& pass, const R* x, R* y) {
  RunAnyPass<32>(pass, x, y);
}
template <typename R>
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")]]
void RunPassAvx512(const typename LaneTransform<R>::Stage& pass, const R* x,
                   R* y) {
  RunAnyPass<64>(pass, x, y);
}
#endif

template <typename R>
using PassFunction = void (*)(const typename LaneTransform<R>::Stage&, const R*,
                              R*);

template <typename R>
PassFunction<R> BestPassFunction() {
#if defined(__x86_64__)
  const CpuTarget& target = CpuTarget::OfProcess();
  if (target.has(InstructionSet::kAvx512)) {
    return RunPassAvx512<R>;
  }
  if (target.has(InstructionSet::kAvx2)) {
    return RunPassAvx2<R>;
  }
#endif
  return RunPassPlain<R>;
}

int64_t Divide(int64_t& n, int64_t factor) {
  int64_t times = 0;
  for (; n % factor == 0; n /= factor) ++times;
  return times;
}

// The radices of the passes; their product is n.
std::vector<int> RadicesOf(int64_t n) {
  std::vector<int> radices;
  int64_t twos = Divide(n, 2);
  for (; twos >= 5 || twos == 3; twos -= 3) radices.push_back(8);
  for (; twos >= 2; twos -= 2) radices.push_back(4);
  if (twos == 1) radices.push_back(2);
  for (const int radix : kOddRadices) {
    radices.insert(radices.end(), Divide(n, radix), radix);
  }
  return radices;
}

}  // namespace

std::complex<double> ForwardRoot(int64_t k, int64_t n) {
  // The angle as one of 0 .. 45 degrees, in units of 1 / (8 n) of a turn.
  const int64_t octant = 8 * k / n;
  const int64_t rest = 8 * k - octant * n;
  const bool is_mirrored = octant % 2 != 0;
  const double angle = std::numbers::pi / 4 *
                       static_cast<double>(is_mirrored ? n - rest : rest) /
                       static_cast<double>(n);
  double x = std::cos(angle), y = std::sin(angle);
  if (octant % 4 == 1 || octant % 4 == 2) std::swap(x, y);
  if (octant >= 2 && octant < 6) x = -x;
  if (octant >= 4) y = -y;
  return {x, -y};
}

template <typename R>
bool LaneTransform<R>::Supports(int64_t length) {
  if (length < 1) return false;
  Divide(length, 2);
  for (const int radix : kOddRadices) Divide(length, radix);
  return length == 1;
}

template <typename R>
LaneTransform<R>::LaneTransform(int64_t length) : length_(length) {
  int64_t rest = length, stride = 1;
  for (const int radix : RadicesOf(length)) {
    Stage pass{radix, rest / radix, stride, {}};
    for (int j = 0; j < radix; ++j) {
      pass.roots.push_back(static_cast<R>(ForwardRoot(j, radix).real()));
    }
    for (int j = 0; j < radix; ++j) {
      pass.roots.push_back(static_cast<R>(-ForwardRoot(j, radix).imag()));
    }
    for (int64_t p = 0; p < pass.count; ++p) {
      for (int64_t k = 1; k < radix; ++k) {
        const std::complex<double> root = ForwardRoot(p * k, rest);
        pass.roots.push_back(static_cast<R>(root.real()));
        pass.roots.push_back(static_cast<R>(root.imag()));
      }
    }
    rest /= radix;
    stride *= radix;
    passes_.push_back(std::move(pass));
  }
}

template <typename R>
R* LaneTransform<R>::Run(R* x, R* y) const {
  static const PassFunction<R> run_pass = BestPassFunction<R>();
  for (const Stage& pass : passes_) {
    run_pass(pass, x, y);
    std::swap(x, y);
  }
  return x;
}

template class LaneTransform<float>;
template class LaneTransform<double>;

}  // namespace lockstep::internal
