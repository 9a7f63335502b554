#ifndef LOCKSTEP_CLIENT_EXAMPLES_DIGITS_BATCHES_H_
#define LOCKSTEP_CLIENT_EXAMPLES_DIGITS_BATCHES_H_

#include <cstdint>
#include <vector>

#include "client/array.h"
#include "client/examples/digits_data.h"

namespace lockstep {

// Mean and deviation of each pixel over the training set.
struct PixelScale {
  std::vector<float> mean;
  std::vector<float> deviation;  // 1 for a pixel that never changes
};
PixelScale ScaleOf(const std::vector<Digit>& digits);

// All batches of a data set as they lie on devices, one row of each array per
// device: (devices, batches, rows, ...).
struct DeviceBatches {
  Array pixels;   // standardised
  Array labels;   // s32
  Array weights;  // 0 for rows that fill up
  int64_t batches = 0;
};

// Batch b holds the digits from b * batch_size on, whatever the number of
// devices is: device d of `device_count` has the d-th part of each batch. Only
// the parts of devices [first, first + count) are made.
DeviceBatches MakeBatches(const std::vector<Digit>& digits,
                          const PixelScale& scale, int64_t batch_size,
                          int64_t device_count, int64_t first, int64_t count);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_EXAMPLES_DIGITS_BATCHES_H_
