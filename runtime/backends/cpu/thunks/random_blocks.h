#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_RANDOM_BLOCKS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_RANDOM_BLOCKS_H_

#include <cstdint>

namespace lockstep::internal {

// Random bits of consecutive counters at once; the same bits as Threefry2x32
// and Philox4x32 (runtime/ops/evaluation/random_bits.h) give for each.

inline constexpr int64_t kCountersPerBlock = 512;

// words[w][i]: word w of the bits of counter + i.
struct ThreefryBlock {
  alignas(64) uint32_t words[2][kCountersPerBlock];
};
void FillThreefryBlock(uint64_t key, uint64_t counter, ThreefryBlock& block);

// The counter has 128 bits.
struct PhiloxBlock {
  alignas(64) uint32_t words[4][kCountersPerBlock];
};
void FillPhiloxBlock(uint64_t key, uint64_t counter_low, uint64_t counter_high,
                     PhiloxBlock& block);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_RANDOM_BLOCKS_H_
