#include "client/global_arrays/packed_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace lockstep::internal {
namespace {

TEST(PackedRowTest, SizesAreFewAndLittleMore) {
  EXPECT_EQ(PackedSize(0), 0);
  EXPECT_EQ(PackedSize(1), 4096);
  EXPECT_EQ(PackedSize(4096), 4096);
  EXPECT_EQ(PackedSize(4097), 8192);
  int64_t sizes = 0;
  int64_t last = 0;
  for (int64_t bytes = 40000; bytes < 80000; ++bytes) {
    const int64_t size = PackedSize(bytes);
    EXPECT_GE(size, bytes);
    EXPECT_LT(size, bytes + std::max<int64_t>(bytes / 8, 4096));
    EXPECT_EQ(PackedSize(size), size) << "of one size on";
    if (size != last) ++sizes;
    last = size;
  }
  EXPECT_LE(sizes, 10);
  EXPECT_EQ(PackedSize(int64_t{1} << 40), int64_t{1} << 40);
}

}  // namespace
}  // namespace lockstep::internal
