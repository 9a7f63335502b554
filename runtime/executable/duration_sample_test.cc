#include "runtime/executable/duration_sample.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(DurationSampleTest, FewHaveTheirMedian) {
  DurationSample sample;
  EXPECT_EQ(sample.Median(), 0);
  sample.Add(9);
  EXPECT_EQ(sample.Median(), 9);
  sample.Add(1);
  EXPECT_EQ(sample.Median(), 9);
  sample.Add(4);
  EXPECT_EQ(sample.Median(), 4);
}

TEST(DurationSampleTest, ManyHaveAboutTheirMedian) {
  for (int64_t count : {255, 256, 257, 511, 512, 513, 100'000}) {
    DurationSample sample;
    for (int64_t i = 0; i < count; ++i) sample.Add(i);
    EXPECT_NEAR(static_cast<double>(sample.Median()),
                static_cast<double>(count) / 2,
                static_cast<double>(count) / 100 + 1)
        << count;
  }
}

}  // namespace
}  // namespace lockstep::internal
