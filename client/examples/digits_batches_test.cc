#include "client/examples/digits_batches.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lockstep::examples {
namespace {

std::vector<Digit> NumberedDigits(int count) {
  std::vector<Digit> digits(count);
  for (int i = 0; i < count; ++i) {
    digits[i].label = i;
    digits[i].pixels.fill(static_cast<uint8_t>(i % (kMaxPixel + 1)));
  }
  return digits;
}

TEST(MakeBatches, EveryShareOfDevicesSeesEveryImageOnceInOrder) {
  const std::vector<Digit> digits = NumberedDigits(23);
  for (int64_t total : {1, 2, 3, 5, 8}) {
    for (int64_t hosts : {int64_t{1}, total}) {
      std::vector<std::vector<int32_t>> seen(3);
      for (int64_t host = 0; host < hosts; ++host) {
        const int64_t count = total / hosts;
        const auto batches = MakeBatches(
            digits, 10,
            {.begin = host * count, .count = count, .total = total});
        ASSERT_EQ(batches.size(), 3);
        for (size_t b = 0; b < batches.size(); ++b) {
          const auto labels = *batches[b].labels.ToVector<int32_t>();
          const auto weights = *batches[b].weights.ToVector<float>();
          for (size_t i = 0; i < labels.size(); ++i) {
            if (weights[i] == 1) seen[b].push_back(labels[i]);
          }
        }
      }
      int32_t next = 0;
      for (const auto& batch : seen) {
        for (int32_t label : batch) EXPECT_EQ(label, next++);
      }
      EXPECT_EQ(next, 23) << total << " devices on " << hosts << " hosts";
      EXPECT_EQ(seen[2].size(), 3);
    }
  }
}

TEST(MakeBatches, WhatIsFilledUpHasNoWeightAndAllShapesAreEqual) {
  const auto batches =
      MakeBatches(NumberedDigits(23), 10, {.begin = 0, .count = 4, .total = 4});
  for (const DigitBatch& batch : batches) {
    EXPECT_EQ(batch.images.shape(), Shape(ElementType::kF32, {4, 3, 64}));
    EXPECT_EQ(batch.labels.shape(), Shape(ElementType::kS32, {4, 3}));
    const auto weights = *batch.weights.ToVector<float>();
    EXPECT_EQ(std::accumulate(weights.begin(), weights.end(), 0.0f),
              static_cast<float>(batch.size));
  }
  EXPECT_EQ(batches[2].size, 3);
}

TEST(MakeBatches, PixelsAreCentred) {
  const auto batches = MakeBatches(NumberedDigits(17), 17, {});
  const auto images = *batches[0].images.ToVector<float>();
  EXPECT_EQ(images.front(), -1.0f);
  EXPECT_EQ(images[8 * kDigitPixels], 0.0f);
  EXPECT_EQ(images.back(), 1.0f);
}

}  // namespace
}  // namespace lockstep::examples
