#include "runtime/base/quantity_text.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(QuantityText, ScalesToTheLargestUnitBelow) {
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(BytesText(1023), "1023 B");
  EXPECT_EQ(BytesText(1536), "1.5 KiB");
  EXPECT_EQ(BytesText(int64_t{5} << 30), "5.0 GiB");
  EXPECT_EQ(BytesText(int64_t{4} << 40), "4.0 TiB");
  EXPECT_EQ(CountText(999), "999");
  EXPECT_EQ(CountText(1500), "1.5 k");
}

}  // namespace
}  // namespace lockstep::internal
