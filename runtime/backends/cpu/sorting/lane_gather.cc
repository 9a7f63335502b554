#include "runtime/backends/cpu/sorting/lane_gather.h"

namespace lockstep::internal {
namespace {

struct SixteenBytes {
  uint64_t words[2];
};

template <typename T>
void Gather(const std::byte* from, int64_t from_stride,
            absl::Span<const uint32_t> order, std::byte* to,
            int64_t to_stride) {
  const T* source = reinterpret_cast<const T*>(from);
  T* target = reinterpret_cast<T*>(to);
  for (uint32_t position : order) {
    *target = source[position * from_stride];
    target += to_stride;
  }
}

}  // namespace

void GatherLane(int64_t element_size, const std::byte* from,
                int64_t from_stride, absl::Span<const uint32_t> order,
                std::byte* to, int64_t to_stride) {
  switch (element_size) {
    case 1:
      return Gather<uint8_t>(from, from_stride, order, to, to_stride);
    case 2:
      return Gather<uint16_t>(from, from_stride, order, to, to_stride);
    case 4:
      return Gather<uint32_t>(from, from_stride, order, to, to_stride);
    case 8:
      return Gather<uint64_t>(from, from_stride, order, to, to_stride);
    default:
      return Gather<SixteenBytes>(from, from_stride, order, to, to_stride);
  }
}

}  // namespace lockstep::internal
