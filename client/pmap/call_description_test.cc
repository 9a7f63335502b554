// What hosts compare of the functions they call; of M-20 the part of one host.
#include "client/pmap/call_description.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr SourceLocation kPlace = SourceLocation::current("/a/train.cc", 12);

// x, which is mapped, and scale, which is not.
std::vector<ArgumentLeafValue> Leaves(std::vector<float> x, float scale) {
  return {{.path = "0", .argument = 0, .value = Array(x)},
          {.path = "1", .argument = 1, .value = Array({scale, scale})}};
}

PmapOptions Options() {
  return {.axis_name = "i", .in_axes = {0, std::nullopt}, .name = "train"};
}

CallDescription Describe(const PmapOptions& options,
                         const std::vector<ArgumentLeafValue>& leaves) {
  return DescribeCall(options, kPlace, leaves);
}

CallDescription WithValues(const std::vector<ArgumentLeafValue>& leaves) {
  return *WithReplicatedValues(Describe(Options(), leaves), Options(), leaves);
}

TEST(CallDescriptionTest, SaysNameShapesOfRowsAndPlace) {
  EXPECT_EQ(
      Describe(Options(), Leaves({1, 2, 3}, 4)).text,
      "train(0: tensor<f32>, 1: tensor<2xf32>) over 'i' at /a/train.cc:12");
}

TEST(CallDescriptionTest, RowsOfAHostAndFoldersOfItsSourcesMayDiffer) {
  const auto leaves = Leaves({1, 2, 3}, 4);
  const uint64_t digest = Describe(Options(), leaves).digest;
  EXPECT_EQ(Describe(Options(), Leaves({1, 2}, 5)).digest, digest);
  EXPECT_EQ(DescribeCall(Options(), SourceLocation::current("/b/train.cc", 12),
                         leaves)
                .digest,
            digest);
}

TEST(CallDescriptionTest, AxisNamePlaceAndDonationsMakeAnotherCall) {
  const auto leaves = Leaves({1, 2}, 3);
  const uint64_t digest = Describe(Options(), leaves).digest;
  PmapOptions other = Options();
  other.axis_name = "j";
  EXPECT_NE(Describe(other, leaves).digest, digest);
  other = Options();
  other.name = "test";
  EXPECT_NE(Describe(other, leaves).digest, digest);
  other = Options();
  other.donate_argnums = {0};
  EXPECT_NE(Describe(other, leaves).digest, digest);
  EXPECT_NE(DescribeCall(Options(), SourceLocation::current("/a/train.cc", 13),
                         leaves)
                .digest,
            digest);
}

// M-20.
TEST(CallDescriptionTest, ValuesThatAreNotMappedAreComparedByTheirBits) {
  const CallDescription described = WithValues(Leaves({1, 2}, 3));
  EXPECT_THAT(described.text,
              AllOf(HasSubstr(" with values 1 = #"), Not(HasSubstr("0 = #"))));
  EXPECT_EQ(WithValues(Leaves({7, 8}, 3)).digest, described.digest);
  EXPECT_NE(WithValues(Leaves({1, 2}, 4)).digest, described.digest);
  EXPECT_NE(WithValues(Leaves({1, 2}, 0.0f)).digest,
            WithValues(Leaves({1, 2}, -0.0f)).digest);
}

}  // namespace
}  // namespace lockstep::internal
