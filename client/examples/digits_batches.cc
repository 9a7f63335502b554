#include "client/examples/digits_batches.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

PixelScale ScaleOf(const std::vector<Digit>& digits) {
  PixelScale scale;
  const double count = static_cast<double>(digits.size());
  for (int p = 0; p < kDigitPixels; ++p) {
    double total = 0, squares = 0;
    for (const Digit& digit : digits) {
      total += digit.pixels[p];
      squares += digit.pixels[p] * digit.pixels[p];
    }
    const double mean = total / count;
    const double variance = squares / count - mean * mean;
    scale.mean.push_back(static_cast<float>(mean));
    scale.deviation.push_back(
        variance > 0 ? static_cast<float>(std::sqrt(variance)) : 1.0f);
  }
  return scale;
}

DeviceBatches MakeBatches(const std::vector<Digit>& digits,
                          const PixelScale& scale, int64_t batch_size,
                          int64_t device_count, int64_t first, int64_t count) {
  const int64_t size = static_cast<int64_t>(digits.size());
  const int64_t batches = (size + batch_size - 1) / batch_size;
  const int64_t rows = (batch_size + device_count - 1) / device_count;
  Literal pixels(
      Shape(ElementType::kF32, {count, batches, rows, kDigitPixels}));
  Literal labels(Shape(ElementType::kS32, {count, batches, rows}));
  Literal weights(Shape(ElementType::kF32, {count, batches, rows}));
  for (int64_t row = 0; row < count * batches * rows; ++row) {
    const int64_t device = first + row / (batches * rows);
    const int64_t batch = row / rows % batches;
    const int64_t in_batch = device * rows + row % rows;
    const int64_t index = batch * batch_size + in_batch;
    if (in_batch >= batch_size || index >= size) continue;
    const Digit& digit = digits[index];
    labels.mutable_data<int32_t>()[row] = digit.label;
    weights.mutable_data<float>()[row] = 1;
    for (int p = 0; p < kDigitPixels; ++p) {
      pixels.mutable_data<float>()[row * kDigitPixels + p] =
          (static_cast<float>(digit.pixels[p]) - scale.mean[p]) /
          scale.deviation[p];
    }
  }
  return {pixels, labels, weights, batches};
}

}  // namespace lockstep
