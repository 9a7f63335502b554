#include "client/examples/digits_batches.h"

#include <algorithm>

namespace lockstep::examples {
namespace {

float Centred(uint8_t pixel) { return pixel / (kMaxPixel / 2.0f) - 1.0f; }

template <typename T>
Array MakeArray(const std::vector<int64_t>& dims,
                const std::vector<T>& values) {
  return Literal::FromValues<T>(absl::MakeConstSpan(dims),
                                absl::MakeConstSpan(values));
}

DigitBatch MakeBatch(absl::Span<const Digit> digits, int64_t rows,
                     const DeviceShare& share) {
  std::vector<float> images(share.count * rows * kDigitPixels, 0.0f);
  std::vector<int32_t> labels(share.count * rows, 0);
  std::vector<float> weights(share.count * rows, 0.0f);
  for (int64_t row = 0; row < share.count * rows; ++row) {
    const size_t source = share.begin * rows + row;
    if (source >= digits.size()) break;
    const Digit& digit = digits[source];
    std::transform(digit.pixels.begin(), digit.pixels.end(),
                   images.begin() + row * kDigitPixels, Centred);
    labels[row] = digit.label;
    weights[row] = 1.0f;
  }
  return {.images = MakeArray({share.count, rows, kDigitPixels}, images),
          .labels = MakeArray({share.count, rows}, labels),
          .weights = MakeArray({share.count, rows}, weights),
          .size = static_cast<int64_t>(digits.size())};
}

}  // namespace

std::vector<DigitBatch> MakeBatches(absl::Span<const Digit> digits,
                                    int64_t batch_size,
                                    const DeviceShare& share) {
  const int64_t rows = (batch_size + share.total - 1) / share.total;
  std::vector<DigitBatch> batches;
  for (size_t begin = 0; begin < digits.size(); begin += batch_size) {
    batches.push_back(
        MakeBatch(digits.subspan(begin, batch_size), rows, share));
  }
  return batches;
}

}  // namespace lockstep::examples
