#ifndef LOCKSTEP_CLIENT_EXAMPLES_SPLIT_MIX_H_
#define LOCKSTEP_CLIENT_EXAMPLES_SPLIT_MIX_H_

#include <cstdint>

namespace lockstep::examples {

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed, on
// every machine and with every standard library. Not for cryptography.
class SplitMix {
 public:
  explicit SplitMix(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // In [0, bound); bound is far below 2^64, so the bias is negligible.
  uint64_t NextBelow(uint64_t bound) { return Next() % bound; }

  // In [-limit, limit).
  float NextWithin(float limit) {
    const double unit = static_cast<double>(Next() >> 11) * 0x1p-53;
    return static_cast<float>((2 * unit - 1) * limit);
  }

 private:
  uint64_t state_;
};

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_SPLIT_MIX_H_
