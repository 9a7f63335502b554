#include "client/bench/collective_bench.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int64_t> SizesOf(const CollectiveBenchOptions& options,
                             int devices) {
  const std::vector<CollectiveCase> cases = options.Cases(devices).value();
  std::vector<int64_t> sizes;
  for (const CollectiveCase& c : cases) {
    sizes.push_back(c.bytes);
  }
  return sizes;
}

TEST(CollectiveBenchTest, SizesGrowByTheFactorToTheLargest) {
  EXPECT_THAT(SizesOf({.kinds = {CollectiveKinds()[0]},
                       .min_bytes = 8,
                       .max_bytes = 100,
                       .factor = 2},
                      2),
              ElementsAre(8, 16, 32, 64));
}

TEST(CollectiveBenchTest, SizesAreRoundedToAnElementForEachDevice) {
  EXPECT_THAT(SizesOf({.kinds = CollectiveKinds(), .max_bytes = 12}, 3),
              ElementsAre(4, 12, 12, 12, 4, 4));
  EXPECT_THAT(SizesOf({.kinds = {CollectiveKinds()[1]},
                       .type = ElementType::kS8,
                       .max_bytes = 16},
                      3),
              ElementsAre(3, 12));
  EXPECT_THAT(
      SizesOf(
          {.kinds = CollectiveKinds(), .min_bytes = 1024, .max_bytes = 2048},
          3),
      ElementsAre(1024, 1020, 1020, 1020, 1024, 1024));
}

TEST(CollectiveBenchTest, SizesThatCannotBeAreRefused) {
  const auto none =
      CollectiveBenchOptions{
          .kinds = {CollectiveKinds()[0]}, .min_bytes = 64, .max_bytes = 16}
          .Cases(3);
  EXPECT_EQ(none.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(none.status().message(),
              HasSubstr("all_reduce: the smallest size is 64 bytes, and the "
                        "largest 16"));
}

TEST(CollectiveBenchTest, BandwidthsAreThoseOfNcclTests) {
  CollectiveMeasurement measured;
  measured.measured = {
      .kind = CollectiveKinds()[0], .ranks = 4, .bytes = 1 << 20};
  measured.seconds = 1e-3;
  EXPECT_DOUBLE_EQ(measured.algorithm_bandwidth(), 1.048576);
  EXPECT_DOUBLE_EQ(measured.bus_bandwidth(), 1.5 * 1.048576);
  CollectiveMeasurement other = measured;
  other.seconds = 0;
  EXPECT_EQ(other.bus_bandwidth(), 0);
  EXPECT_DOUBLE_EQ(AverageBusBandwidth({measured, other}), 0.75 * 1.048576);
  EXPECT_EQ(AverageBusBandwidth({}), 0);
}

}  // namespace
}  // namespace lockstep::internal
