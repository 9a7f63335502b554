#ifndef LOCKSTEP_RUNTIME_TYPES_HALF_H_
#define LOCKSTEP_RUNTIME_TYPES_HALF_H_

#include <bit>
#include <cstdint>

namespace lockstep {

// Round to nearest, ties to even; overflow gives infinity; a NaN stays a quiet
// NaN and keeps its sign and the high bits of its payload.
uint16_t FloatToF16Bits(float value);
uint16_t FloatToBF16Bits(float value);
// Rounded once, directly from double.
uint16_t DoubleToF16Bits(double value);
uint16_t DoubleToBF16Bits(double value);
// Exact.
float F16BitsToFloat(uint16_t bits);
inline float BF16BitsToFloat(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

// IEEE 754 binary16. Arithmetic goes through float.
struct F16 {
  F16() = default;
  explicit F16(float value) : bits(FloatToF16Bits(value)) {}
  explicit F16(double value) : bits(DoubleToF16Bits(value)) {}
  explicit operator float() const { return F16BitsToFloat(bits); }
  explicit operator double() const { return F16BitsToFloat(bits); }
  static F16 FromBits(uint16_t bits) {
    F16 half;
    half.bits = bits;
    return half;
  }
  uint16_t bits = 0;
};

// bfloat16: the high 16 bits of a float.
struct BF16 {
  BF16() = default;
  explicit BF16(float value) : bits(FloatToBF16Bits(value)) {}
  explicit BF16(double value) : bits(DoubleToBF16Bits(value)) {}
  explicit operator float() const { return BF16BitsToFloat(bits); }
  explicit operator double() const { return BF16BitsToFloat(bits); }
  static BF16 FromBits(uint16_t bits) {
    BF16 half;
    half.bits = bits;
    return half;
  }
  uint16_t bits = 0;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_TYPES_HALF_H_
