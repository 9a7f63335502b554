#include "runtime/backends/cuda/codegen/device_library.h"

namespace lockstep::internal {

absl::string_view DeviceThreads() {
  return R"cuda(
// ---- threads
// The value of the lane `distance` further on in the warp.
template <class T> FN T FromLane(T x, int distance) {
  enum { kWords = (sizeof(T) + 3) / 4 };
  union {
    T value;
    u32 words[kWords];
  } from, to;
  from.words[kWords - 1] = 0;
  from.value = x;
  for (int i = 0; i < kWords; ++i) {
    to.words[i] = __shfl_down_sync(0xffffffffu, from.words[i], distance);
  }
  return to.value;
}
// That of the first of `lanes` neighbours, a power of 2.
template <class T> FN T FromFirst(T x, int lanes) {
  enum { kWords = (sizeof(T) + 3) / 4 };
  union {
    T value;
    u32 words[kWords];
  } from, to;
  from.words[kWords - 1] = 0;
  from.value = x;
  for (int i = 0; i < kWords; ++i) {
    to.words[i] = __shfl_sync(0xffffffffu, from.words[i], 0, lanes);
  }
  return to.value;
}
)cuda";
}

}  // namespace lockstep::internal
