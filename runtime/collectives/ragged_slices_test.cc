#include "runtime/collectives/ragged_slices.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

MATCHER_P3(IsSlice, from, to, size, "") {
  return arg.from == from && arg.to == to && arg.size == size;
}

// Of two members with two slices each; operands of 3 rows, outputs of 4.
absl::StatusOr<std::shared_ptr<const RaggedSlices>> Slices(
    const std::vector<int64_t>& table) {
  return RaggedSlices::Create(table, 2, {3, 4, 8});
}

std::string ErrorOf(const std::vector<int64_t>& table) {
  const absl::Status status = Slices(table).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

// K-21, G1.
TEST(RaggedSlicesTest, SayWhichBytesGoWhere) {
  const auto slices = Slices({0, 1, 1, 2, 0, 0, 1, 1,  //
                              0, 1, 1, 1, 1, 2, 2, 1});
  ASSERT_TRUE(slices.ok()) << slices.status();
  EXPECT_THAT((*slices)->Between(0, 0), ElementsAre(IsSlice(0, 0, 8)));
  EXPECT_THAT((*slices)->Between(0, 1), ElementsAre(IsSlice(8, 0, 16)));
  EXPECT_THAT((*slices)->Between(1, 0), ElementsAre(IsSlice(0, 8, 8)));
  EXPECT_THAT((*slices)->Between(1, 1), ElementsAre(IsSlice(8, 16, 8)));
}

TEST(RaggedSlicesTest, ThatAreEmptyMayLieAnywhereWithinTheBounds) {
  const auto slices = Slices({3, 0, 0, 3, 4, 1, 0, 0,  //
                              1, 2, 0, 0, 2, 2, 3, 0});
  ASSERT_TRUE(slices.ok()) << slices.status();
  EXPECT_THAT((*slices)->Between(0, 0), IsEmpty());
  EXPECT_THAT((*slices)->Between(0, 1), ElementsAre(IsSlice(0, 8, 24)));
  EXPECT_THAT((*slices)->Between(1, 1), IsEmpty());
}

// One member sends two slices to each.
TEST(RaggedSlicesTest, SeveralOfOnePairKeepTheirOrder) {
  const auto slices =
      RaggedSlices::Create({0, 2, 0, 0, 1, 1, 0, 2, 2, 0, 0, 1, 1, 1, 0, 0,  //
                            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0},
                           2, {3, 4, 1});
  ASSERT_TRUE(slices.ok()) << slices.status();
  EXPECT_THAT((*slices)->Between(0, 0),
              ElementsAre(IsSlice(0, 2, 1), IsSlice(2, 0, 1)));
  EXPECT_THAT((*slices)->Between(0, 1), ElementsAre(IsSlice(0, 1, 2)));
  EXPECT_THAT((*slices)->Between(1, 0), IsEmpty());
}

TEST(RaggedSlicesTest, OfRowsThatAreNotThereAreErrors) {
  EXPECT_EQ(ErrorOf({0, 2, 1, 2, 0, 0, 1, 1, 0, 1, 1, 1, 1, 2, 2, 1}),
            "slice 1 from sender 0 to receiver 1: expected a slice of the 3 "
            "rows of the operand, found input_offsets 2 and send_sizes 2");
  EXPECT_EQ(ErrorOf({0, 1, 1, 2, 0, 0, 1, 1, -1, 1, 1, 1, 1, 2, 2, 1}),
            "slice 0 from sender 1 to receiver 0: expected a slice of the 3 "
            "rows of the operand, found input_offsets -1 and send_sizes 1");
  EXPECT_EQ(ErrorOf({0, 1, 1, -2, 0, 0, 1, 1, 0, 1, 1, 1, 1, 2, -2, 1}),
            "slice 1 from sender 0 to receiver 1: expected a slice of the 3 "
            "rows of the operand, found input_offsets 1 and send_sizes -2");
  EXPECT_EQ(ErrorOf({0, 1, 1, 2, 0, 3, 1, 1, 0, 1, 1, 1, 1, 2, 2, 1}),
            "slice 1 from sender 0 to receiver 1: expected a slice of the 4 "
            "rows of the output, found output_offsets 3 and send_sizes 2");
  // Sums that do not fit in 64 bits.
  EXPECT_EQ(ErrorOf({0, 1, 1, INT64_MAX, 0, 0, 1, 1, 0, 1, 1, 1, 1, 2, 2, 1}),
            "slice 1 from sender 0 to receiver 1: expected a slice of the 3 "
            "rows of the operand, found input_offsets 1 and send_sizes "
            "9223372036854775807");
}

TEST(RaggedSlicesTest, WhoseSizesDifferBetweenSenderAndReceiverAreErrors) {
  EXPECT_EQ(ErrorOf({0, 1, 1, 2, 0, 0, 1, 1, 0, 1, 1, 1, 1, 2, 1, 1}),
            "slice 1 from sender 0 to receiver 1: send_sizes says 2 rows, "
            "recv_sizes[0] of the receiver 1");
}

TEST(RaggedSlicesTest, ThatOverlapAtOneReceiverAreErrors) {
  EXPECT_EQ(ErrorOf({0, 1, 1, 2, 0, 1, 1, 1, 0, 1, 1, 1, 1, 2, 2, 1}),
            "slice 1 from sender 0 and slice 1 from sender 1 overlap at "
            "receiver 1: rows 1 to 2 and 2 to 2");
}

}  // namespace
}  // namespace lockstep::internal
