#include "client/examples/digits_training.h"

#include <gtest/gtest.h>

#include "client/examples/digits_batches.h"
#include "client/interpreter_view.h"

namespace lockstep {
namespace {

// A part of the images, so that the reference interpreter is fast enough.
DigitSplit SomeDigits() {
  const auto digits = ReadDigits("client/examples/data/digits.csv.gz");
  if (!digits.ok()) {
    ADD_FAILURE() << digits.status();
    return {};
  }
  DigitSplit split = SplitDigits(*digits);
  split.training.resize(100);
  split.test.resize(50);
  return split;
}

TrainingResult Train(int devices, int epochs) {
  TrainingDevices where;
  where.view = std::make_shared<InterpreterView>(World::HostMajor({devices}));
  where.count = where.addressable = devices;
  TrainingOptions options;
  options.epochs = epochs;
  options.batch_size = 40;
  const auto result = TrainDigits(SomeDigits(), where, options);
  if (!result.ok()) {
    ADD_FAILURE() << result.status();
    return {};
  }
  return *result;
}

TEST(DigitsTrainingTest, LossDoesNotDependOnTheNumberOfDevices) {
  const TrainingResult one = Train(1, 2);
  for (int devices : {2, 3}) {
    const TrainingResult many = Train(devices, 2);
    ASSERT_EQ(many.losses.size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(many.losses[i], one.losses[i], 1e-5) << devices;
    }
    EXPECT_FLOAT_EQ(many.test_accuracy, one.test_accuracy);
  }
  EXPECT_LT(one.losses[1], one.losses[0]);
}

TEST(DigitsBatchesTest, BatchesAreCutOverDevicesAndFilledUp) {
  std::vector<Digit> digits(7);
  for (int i = 0; i < 7; ++i) digits[i].label = i;
  const DeviceBatches batches =
      MakeBatches(digits, ScaleOf(digits), 4, 3, 1, 2);
  EXPECT_EQ(batches.batches, 2);
  // Devices 1 and 2 of 3, with 2 rows each: device 2 has none of 4.
  EXPECT_EQ(*batches.labels.ToVector<int32_t>(),
            (std::vector<int32_t>{2, 3, 6, 0, 0, 0, 0, 0}));
  EXPECT_EQ(*batches.weights.ToVector<float>(),
            (std::vector<float>{1, 1, 1, 0, 0, 0, 0, 0}));
}

TEST(DigitsBatchesTest, PixelsHaveMeanZeroAndDeviationOne) {
  std::vector<Digit> digits(2);
  digits[0].pixels[3] = 16;
  const DeviceBatches batches =
      MakeBatches(digits, ScaleOf(digits), 2, 1, 0, 1);
  const auto pixels = *batches.pixels.ToVector<float>();
  EXPECT_FLOAT_EQ(pixels[3], 1);
  EXPECT_FLOAT_EQ(pixels[64 + 3], -1);
  EXPECT_FLOAT_EQ(pixels[0], 0);
}

}  // namespace
}  // namespace lockstep
