#include "runtime/backends/cpu/thunks/random_blocks.h"

#include "runtime/backends/cpu/processor/cpu_target.h"

namespace lockstep::internal {
namespace {

// Counters whose rounds run in step, in registers.
constexpr int kWidth = 32;

#define LOCKSTEP_INLINE [[gnu::always_inline]] inline

template <int kRotation>
LOCKSTEP_INLINE void ThreefryRound(uint32_t* x, uint32_t* y) {
  for (int i = 0; i < kWidth; ++i) {
    x[i] += y[i];
    y[i] = (y[i] << kRotation | y[i] >> (32 - kRotation)) ^ x[i];
  }
}

LOCKSTEP_INLINE void AddKeys(uint32_t a, uint32_t b, uint32_t* x, uint32_t* y) {
  for (int i = 0; i < kWidth; ++i) {
    x[i] += a;
    y[i] += b;
  }
}

LOCKSTEP_INLINE void Threefry(uint64_t key, uint64_t counter,
                              ThreefryBlock& block) {
  const uint32_t k0 = static_cast<uint32_t>(key);
  const uint32_t k1 = static_cast<uint32_t>(key >> 32);
  const uint32_t keys[3] = {k0, k1, k0 ^ k1 ^ 0x1BD11BDA};
  for (int64_t first = 0; first < kCountersPerBlock; first += kWidth) {
    uint32_t x[kWidth], y[kWidth];
    for (int i = 0; i < kWidth; ++i) {
      const uint64_t at = counter + static_cast<uint64_t>(first + i);
      x[i] = static_cast<uint32_t>(at) + keys[0];
      y[i] = static_cast<uint32_t>(at >> 32) + keys[1];
    }
#pragma GCC unroll 5
    for (uint32_t group = 1; group <= 5; ++group) {
      if (group % 2 != 0) {
        ThreefryRound<13>(x, y);
        ThreefryRound<15>(x, y);
        ThreefryRound<26>(x, y);
        ThreefryRound<6>(x, y);
      } else {
        ThreefryRound<17>(x, y);
        ThreefryRound<29>(x, y);
        ThreefryRound<16>(x, y);
        ThreefryRound<24>(x, y);
      }
      AddKeys(keys[group % 3], keys[(group + 1) % 3] + group, x, y);
    }
    for (int i = 0; i < kWidth; ++i) {
      block.words[0][first + i] = x[i];
      block.words[1][first + i] = y[i];
    }
  }
}

LOCKSTEP_INLINE void Philox(uint64_t key, uint64_t low, uint64_t high,
                            PhiloxBlock& block) {
  for (int64_t first = 0; first < kCountersPerBlock; first += kWidth) {
    uint32_t c[4][kWidth];
    for (int i = 0; i < kWidth; ++i) {
      const uint64_t at = low + static_cast<uint64_t>(first + i);
      const uint64_t carried = high + (at < low ? 1 : 0);
      c[0][i] = static_cast<uint32_t>(at);
      c[1][i] = static_cast<uint32_t>(at >> 32);
      c[2][i] = static_cast<uint32_t>(carried);
      c[3][i] = static_cast<uint32_t>(carried >> 32);
    }
    uint32_t k0 = static_cast<uint32_t>(key);
    uint32_t k1 = static_cast<uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
      for (int i = 0; i < kWidth; ++i) {
        const uint64_t a = uint64_t{0xD2511F53} * c[0][i];
        const uint64_t b = uint64_t{0xCD9E8D57} * c[2][i];
        c[0][i] = static_cast<uint32_t>(b >> 32) ^ c[1][i] ^ k0;
        c[1][i] = static_cast<uint32_t>(b);
        c[2][i] = static_cast<uint32_t>(a >> 32) ^ c[3][i] ^ k1;
        c[3][i] = static_cast<uint32_t>(a);
      }
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
    for (int w = 0; w < 4; ++w) {
      for (int i = 0; i < kWidth; ++i) block.words[w][first + i] = c[w][i];
    }
  }
}

#if defined(__x86_64__)
#define LOCKSTEP_AVX2 [[gnu::target("avx2")]]
#define LOCKSTEP_AVX512                     \
  [[gnu::target(                            \
      "avx512f,avx512dq,avx512bw,avx512vl," \
      "prefer-vector-width=512")]]
LOCKSTEP_AVX2 void ThreefryAvx2(uint64_t key, uint64_t counter,
                                ThreefryBlock& block) {
  Threefry(key, counter, block);
}
LOCKSTEP_AVX512 void ThreefryAvx512(uint64_t key, uint64_t counter,
                                    ThreefryBlock& block) {
  Threefry(key, counter, block);
}
LOCKSTEP_AVX2 void PhiloxAvx2(uint64_t key, uint64_t low, uint64_t high,
                              PhiloxBlock& block) {
  Philox(key, low, high, block);
}
LOCKSTEP_AVX512 void PhiloxAvx512(uint64_t key, uint64_t low, uint64_t high,
                                  PhiloxBlock& block) {
  Philox(key, low, high, block);
}

bool Has(InstructionSet set) { return CpuTarget::OfProcess().has(set); }
#endif

}  // namespace

void FillThreefryBlock(uint64_t key, uint64_t counter, ThreefryBlock& block) {
#if defined(__x86_64__)
  if (Has(InstructionSet::kAvx512)) return ThreefryAvx512(key, counter, block);
  if (Has(InstructionSet::kAvx2)) return ThreefryAvx2(key, counter, block);
#endif
  Threefry(key, counter, block);
}

void FillPhiloxBlock(uint64_t key, uint64_t counter_low, uint64_t counter_high,
                     PhiloxBlock& block) {
#if defined(__x86_64__)
  if (Has(InstructionSet::kAvx512))
    return PhiloxAvx512(key, counter_low, counter_high, block);
  if (Has(InstructionSet::kAvx2)) {
    return PhiloxAvx2(key, counter_low, counter_high, block);
  }
#endif
  Philox(key, counter_low, counter_high, block);
}

}  // namespace lockstep::internal
