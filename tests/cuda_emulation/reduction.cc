#include "tests/cuda_emulation/reduction.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace lockstep::internal::cuda {
namespace {

struct Half {
  uint16_t bits;
};
struct Bfloat {
  uint16_t bits;
};

float Widen(Half x) {
  uint32_t sign = (x.bits & 0x8000u) << 16;
  uint32_t exponent = (x.bits >> 10) & 31;
  uint32_t fraction = x.bits & 0x3ffu;
  if (exponent == 0) {
    float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign == 0 ? magnitude : -magnitude;
  }
  exponent = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | exponent << 23 | fraction << 13);
}

float Widen(Bfloat x) {
  return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16);
}

template <class T>
T Widen(T x) {
  return x;
}

// To nearest, ties to even.
void Round(float x, Half& to) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  float magnitude = std::fabs(x);
  uint32_t result;
  if (std::isnan(x)) {
    result = 0x7e00;
  } else if (magnitude >= 65520.0f) {
    result = 0x7c00;
  } else if (magnitude < 0x1p-14f) {
    result = static_cast<uint32_t>(std::nearbyint(magnitude * 0x1p24f));
  } else {
    uint32_t rest = bits & 0x7fffffffu;
    rest += 0xfff + (rest >> 13 & 1);
    result = (rest >> 13) - (112u << 10);
  }
  to.bits = static_cast<uint16_t>(sign | result);
}

void Round(float x, Bfloat& to) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  if (std::isnan(x)) {
    bits |= 0x400000u;
  } else {
    bits += 0x7fff + (bits >> 16 & 1);
  }
  to.bits = static_cast<uint16_t>(bits >> 16);
}

template <class T>
void Round(T x, T& to) {
  to = x;
}

template <class T>
T Combine(ncclRedOp_t reduction, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    auto x = static_cast<uint64_t>(static_cast<U>(a));
    auto y = static_cast<uint64_t>(static_cast<U>(b));
    if (reduction == ncclSum) return static_cast<T>(x + y);
    if (reduction == ncclProd) return static_cast<T>(x * y);
    return reduction == ncclMax ? std::max(a, b) : std::min(a, b);
  } else {
    if (reduction == ncclSum) return a + b;
    if (reduction == ncclProd) return a * b;
    return reduction == ncclMax ? std::fmax(a, b) : std::fmin(a, b);
  }
}

template <class T>
void ReduceAs(ncclRedOp_t reduction, size_t count,
              const std::vector<const std::byte*>& operands, std::byte* to) {
  for (size_t i = 0; i < count; ++i) {
    auto element = [&](const std::byte* operand) {
      T value;
      std::memcpy(&value, operand + i * sizeof(T), sizeof(T));
      return Widen(value);
    };
    auto result = element(operands[0]);
    for (size_t rank = 1; rank < operands.size(); ++rank) {
      result = Combine(reduction, result, element(operands[rank]));
    }
    T rounded;
    Round(result, rounded);
    std::memcpy(to + i * sizeof(T), &rounded, sizeof(T));
  }
}

}  // namespace

size_t ElementSize(ncclDataType_t type) {
  switch (type) {
    case ncclInt8:
    case ncclUint8:
      return 1;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32:
      return 4;
    case ncclInt64:
    case ncclUint64:
    case ncclFloat64:
      return 8;
  }
  return 0;
}

void Reduce(ncclDataType_t type, ncclRedOp_t reduction, size_t count,
            const std::vector<const std::byte*>& operands, std::byte* to) {
  switch (type) {
    case ncclInt8:
      return ReduceAs<int8_t>(reduction, count, operands, to);
    case ncclUint8:
      return ReduceAs<uint8_t>(reduction, count, operands, to);
    case ncclInt32:
      return ReduceAs<int32_t>(reduction, count, operands, to);
    case ncclUint32:
      return ReduceAs<uint32_t>(reduction, count, operands, to);
    case ncclInt64:
      return ReduceAs<int64_t>(reduction, count, operands, to);
    case ncclUint64:
      return ReduceAs<uint64_t>(reduction, count, operands, to);
    case ncclFloat16:
      return ReduceAs<Half>(reduction, count, operands, to);
    case ncclBfloat16:
      return ReduceAs<Bfloat>(reduction, count, operands, to);
    case ncclFloat32:
      return ReduceAs<float>(reduction, count, operands, to);
    case ncclFloat64:
      return ReduceAs<double>(reduction, count, operands, to);
  }
}

}  // namespace lockstep::internal::cuda
