#ifndef LOCKSTEP_RUNTIME_OPS_EVALUATION_RANDOM_BITS_H_
#define LOCKSTEP_RUNTIME_OPS_EVALUATION_RANDOM_BITS_H_

#include <array>
#include <cstdint>

namespace lockstep::internal {

// Counter-based generators (Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011): pure functions of a counter and a key.

// Threefry-2x32, 20 rounds.
std::array<uint32_t, 2> Threefry2x32(std::array<uint32_t, 2> counter,
                                     std::array<uint32_t, 2> key);

// Philox-4x32, 10 rounds.
std::array<uint32_t, 4> Philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_EVALUATION_RANDOM_BITS_H_
