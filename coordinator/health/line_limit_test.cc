#include "coordinator/health/line_limit.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LineLimit, TheFirstOfAnIntervalAreLoggedAndTheRestCounted) {
  LineLimit limit(2, absl::Seconds(1));
  const absl::Time start = absl::UnixEpoch();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(limit.Admits("launches failed on host 1", start), i < 2);
  }
  EXPECT_TRUE(limit.Admits("launches failed on host 2", start));
  EXPECT_THAT(limit.Tick(start + absl::Milliseconds(900)), IsEmpty());
  EXPECT_THAT(limit.Tick(start + absl::Seconds(1)),
              ElementsAre("3 more launches failed on host 1"));
  EXPECT_TRUE(limit.Admits("launches failed on host 1", start));
  EXPECT_THAT(limit.Tick(start + absl::Seconds(2)), IsEmpty());
}

}  // namespace
}  // namespace lockstep::internal
