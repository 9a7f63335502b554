#ifndef LOCKSTEP_CLIENT_EXAMPLES_DIGITS_BATCHES_H_
#define LOCKSTEP_CLIENT_EXAMPLES_DIGITS_BATCHES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "client/examples/digits_data.h"
#include "client/lockstep.h"

namespace lockstep::examples {

// The devices whose rows this program passes: in the global view all of them,
// in the host view those of its host. Positions in the order of the axis.
struct DeviceShare {
  int64_t begin = 0;
  int64_t count = 1;
  int64_t total = 1;  // devices of all hosts
};

// A batch cut into equal parts, one per device. Device d has the images
// [d * rows, (d + 1) * rows) of the batch; what remains is filled up with
// images of weight 0, so that any number of devices computes the same sums.
struct DigitBatch {
  Array images;      // f32 [devices, rows, 64], centred: -1..1
  Array labels;      // s32 [devices, rows]
  Array weights;     // f32 [devices, rows]: 1, or 0 where filled up
  int64_t size = 0;  // images of all devices, without what was filled up
};

// The digits in their order, `batch_size` at a time; all batches have the same
// shapes. Arguments must be positive.
std::vector<DigitBatch> MakeBatches(absl::Span<const Digit> digits,
                                    int64_t batch_size,
                                    const DeviceShare& share);

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_DIGITS_BATCHES_H_
