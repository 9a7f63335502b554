#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_LANE_TRANSFORM_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_LANE_TRANSFORM_H_

#include <complex>
#include <cstdint>
#include <vector>

namespace lockstep::internal {

// exp(-2 pi i k / n), rounded once, for 0 <= k < n.
std::complex<double> ForwardRoot(int64_t k, int64_t n);

// The discrete Fourier transform (forward, not scaled) of one length, of
// kLanes sequences side by side: every operation is one on vectors. R is float
// or double. Stockham's algorithm in passes of radix 8, 4, 2 and odd primes.
// Immutable and thread-safe.
template <typename R>
class LaneTransform {
 public:
  static constexpr int64_t kLanes = 64 / sizeof(R);

  // Whether every prime factor has a pass.
  static bool Supports(int64_t length);
  explicit LaneTransform(int64_t length);

  int64_t length() const { return length_; }

  // Element j of lane l: its real part is x[2 * j * kLanes + l], its imaginary
  // part x[(2 * j + 1) * kLanes + l]. Both buffers are aligned to 64 bytes and
  // overwritten; returns the one that has the result.
  R* Run(R* x, R* y) const;

  struct Stage {
    int radix;
    int64_t count;   // butterflies with roots of their own
    int64_t stride;  // butterflies with the same roots
    // radix cosines, radix sines of 2 pi j / radix; then for each butterfly
    // the roots of outputs 1 .. radix - 1.
    std::vector<R> roots;
  };

 private:
  int64_t length_;
  std::vector<Stage> passes_;
};

extern template class LaneTransform<float>;
extern template class LaneTransform<double>;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_LANE_TRANSFORM_H_
