#include "tests/cuda_emulation/reduction.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tests/cuda_emulation/small_floats.h"

namespace lockstep::internal::cuda {
namespace {

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
