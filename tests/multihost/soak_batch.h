#ifndef LOCKSTEP_TESTS_MULTIHOST_SOAK_BATCH_H_
#define LOCKSTEP_TESTS_MULTIHOST_SOAK_BATCH_H_

#include <cstdint>
#include <vector>

#include "client/lockstep.h"

namespace lockstep::internal {

// A function of one row per device, over the axis "i".
enum class SoakStep { kSum, kLargestAndOwn, kFromBefore, kDouble };
inline constexpr int kSoakSteps = 4;

Tensor Apply(SoakStep step, Tensor x, int devices);

// Rows of `width` small whole numbers, one per device, row-major.
using SoakRows = std::vector<float>;

// The same by hand, of the rows of all devices.
SoakRows Expected(SoakStep step, const SoakRows& x, int devices);

// How one host differs from the others in the second of three calls.
enum class Difference {
  kNone,
  kRowTooFew,
  kOtherShape,
  kOtherOrder,
  kSkips,
  kThrows,
  kSyncs,
};
inline constexpr int kDifferences = 7;

// A few calls of one function: the same on every host that asks for the same
// number. A value type.
struct SoakBatch {
  static SoakBatch Of(int64_t seed, int32_t number, int devices, int hosts);

  SoakStep step = SoakStep::kSum;
  int calls = 0;  // each with the result of the one before
  int width = 0;
  bool is_fresh = false;  // a function that was not called before
  SoakRows rows;          // of all devices
  Difference difference = Difference::kNone;
  int differs = -1;  // the host
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_SOAK_BATCH_H_
