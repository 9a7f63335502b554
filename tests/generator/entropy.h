#ifndef LOCKSTEP_TESTS_GENERATOR_ENTROPY_H_
#define LOCKSTEP_TESTS_GENERATOR_ENTROPY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::internal {

// Decisions from the bytes of a fuzzer, one after the other; when they are used
// up, from a generator that they seed. The same bytes, or the same number, give
// the same decisions.
class Entropy {
 public:
  Entropy(const uint8_t* data, size_t size) : data_(data), size_(size) {
    for (size_t i = 0; i < size; ++i) {
      state_ = (state_ ^ data[i]) * 0x100000001B3u;
    }
  }

  // Without bytes. Neighbouring seeds have nothing in common.
  explicit Entropy(uint64_t seed) : Entropy(nullptr, 0) {
    state_ ^= (seed + 1) * 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 4; ++i) Below(2);
  }

  // 0 .. limit - 1.
  int Below(int limit) {
    if (next_ < size_ && limit <= 256) return data_[next_++] % limit;
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<int>((state_ >> 32) % static_cast<uint64_t>(limit));
  }
  bool OneIn(int n) { return Below(n) == 0; }
  template <typename T>
  const T& Any(const std::vector<T>& list) {
    return list[Below(static_cast<int>(list.size()))];
  }

 private:
  const uint8_t* const data_;
  const size_t size_;
  size_t next_ = 0;
  uint64_t state_ = 0xCBF29CE484222325u;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_GENERATOR_ENTROPY_H_
