#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_LANE_COPY_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_LANE_COPY_H_

#include <array>
#include <complex>
#include <cstdint>

#include "runtime/backends/cpu/fourier/lane_transform.h"

namespace lockstep::internal {

// Where up to kLanes sequences of complex numbers lie in memory: element j of
// sequence l at first[l] + j * stride, in elements.
template <typename R>
struct LaneAddresses {
  static constexpr int64_t kLanes = LaneTransform<R>::kLanes;

  int64_t width = 0;  // sequences
  std::array<int64_t, kLanes> first = {};
  int64_t stride = 1;

  // Neighbours `step` apart.
  static LaneAddresses Evenly(int64_t width, int64_t first, int64_t step,
                              int64_t stride);
};

// The first `count` elements of each sequence, laid out as LaneTransform says;
// zeros in lanes without a sequence. `swaps` exchanges real and imaginary
// parts.
template <typename R>
void LoadLanes(const std::complex<R>* from, const LaneAddresses<R>& addresses,
               int64_t count, bool swaps, R* lanes);

// The opposite; times `scale`.
template <typename R>
void StoreLanes(const R* lanes, const LaneAddresses<R>& addresses,
                int64_t count, bool swaps, R scale, std::complex<R>* to);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_FOURIER_LANE_COPY_H_
