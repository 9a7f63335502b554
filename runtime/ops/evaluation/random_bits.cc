#include "runtime/ops/evaluation/random_bits.h"

#include <bit>

namespace lockstep::internal {

std::array<uint32_t, 2> Threefry2x32(std::array<uint32_t, 2> counter,
                                     std::array<uint32_t, 2> key) {
  constexpr uint32_t kParity = 0x1BD11BDA;
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ kParity};
  auto [x, y] = counter;
  x += keys[0];
  y += keys[1];
  for (uint32_t i = 1; i <= 5; ++i) {
    for (int rotation : kRotations[(i - 1) % 2]) {
      x += y;
      y = std::rotl(y, rotation) ^ x;
    }
    x += keys[i % 3];
    y += keys[(i + 1) % 3] + i;
  }
  return {x, y};
}

std::array<uint32_t, 4> Philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key) {
  constexpr uint64_t kMultipliers[2] = {0xD2511F53, 0xCD9E8D57};
  constexpr uint32_t kWeyl[2] = {0x9E3779B9, 0xBB67AE85};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = kMultipliers[0] * counter[0];
    const uint64_t b = kMultipliers[1] * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(a)};
    key[0] += kWeyl[0];
    key[1] += kWeyl[1];
  }
  return counter;
}

}  // namespace lockstep::internal
