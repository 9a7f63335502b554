#include "runtime/backends/cpu/fourier/lane_copy.h"

#include <algorithm>

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
  constexpr int64_t kLanes = LaneAddresses<R>::kLanes;
  const R* parts = reinterpret_cast<const R*>(from);
  R* re = lanes + (swaps ? kLanes : 0);
  R* im = lanes + (swaps ? 0 : kLanes);
  if (AreAdjacent(addresses)) {
    const R* x = parts + 2 * addresses.first[0];
    for (int64_t j = 0; j < count; ++j) {
      for (int64_t l = 0; l < kLanes; ++l) {
        re[l] = x[2 * l];
        im[l] = x[2 * l + 1];
      }
      x += 2 * addresses.stride;
      re += 2 * kLanes;
      im += 2 * kLanes;
    }
    return;
  }
  if (addresses.width < kLanes) std::fill_n(lanes, 2 * kLanes * count, R{});
  const int64_t step = 2 * addresses.stride;
  for (int64_t j = 0; j < count; j += kBlock<R>) {
    const int64_t end = std::min(kBlock<R>, count - j);
    for (int64_t l = 0; l < addresses.width; ++l) {
      const R* x = parts + 2 * addresses.first[l] + j * step;
      for (int64_t i = 0; i < end; ++i) {
        re[2 * kLanes * i + l] = x[i * step];
        im[2 * kLanes * i + l] = x[i * step + 1];
      }
    }
    re += 2 * kLanes * kBlock<R>;
    im += 2 * kLanes * kBlock<R>;
  }
}

template <typename R>
void StoreLanes(const R* lanes, const LaneAddresses<R>& addresses,
                int64_t count, bool swaps, R scale, std::complex<R>* to) {
  constexpr int64_t kLanes = LaneAddresses<R>::kLanes;
  R* parts = reinterpret_cast<R*>(to);
  const R* re = lanes + (swaps ? kLanes : 0);
  const R* im = lanes + (swaps ? 0 : kLanes);
  if (AreAdjacent(addresses)) {
    R* x = parts + 2 * addresses.first[0];
    for (int64_t j = 0; j < count; ++j) {
      for (int64_t l = 0; l < kLanes; ++l) {
        x[2 * l] = re[l] * scale;
        x[2 * l + 1] = im[l] * scale;
      }
      x += 2 * addresses.stride;
      re += 2 * kLanes;
      im += 2 * kLanes;
    }
    return;
  }
  const int64_t step = 2 * addresses.stride;
  for (int64_t j = 0; j < count; j += kBlock<R>) {
    const int64_t end = std::min(kBlock<R>, count - j);
    for (int64_t l = 0; l < addresses.width; ++l) {
      R* x = parts + 2 * addresses.first[l] + j * step;
      for (int64_t i = 0; i < end; ++i) {
        x[i * step] = re[2 * kLanes * i + l] * scale;
        x[i * step + 1] = im[2 * kLanes * i + l] * scale;
      }
    }
    re += 2 * kLanes * kBlock<R>;
    im += 2 * kLanes * kBlock<R>;
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
