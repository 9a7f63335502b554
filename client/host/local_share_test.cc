// M-2: how the hosts of a machine divide its devices.
#include "client/host/local_share.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(LocalShareTest, HostsTakeEqualContiguousBlocks) {
  EXPECT_THAT(*DeviceBlock(8, 0, 2), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(*DeviceBlock(8, 1, 2), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(*DeviceBlock(3, 2, 3), ElementsAre(2));
  EXPECT_THAT(*DeviceBlock(2, 0, 1), ElementsAre(0, 1));
}

TEST(LocalShareTest, DevicesThatCannotBeDividedAreAnErrorWithBothNumbers) {
  for (const int devices : {0, 1, 3, 7}) {
    const absl::Status status = DeviceBlock(devices, 0, 2).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr(absl::StrCat(devices, " devices")),
                      HasSubstr("2 hosts")));
  }
}

// Simulated devices are made for each host: there is nothing to divide.
TEST(LocalShareTest, ProcessorsAreNotDivided) {
  ResolvedOptions options;
  options.local_rank = 1;
  options.local_count = 2;
  Worker::Options worker;
  worker.platform = "cpu";
  worker.local_device_count = 3;
  worker.local_devices = {0, 1, 2};
  ASSERT_TRUE(TakeLocalShare(options, worker).ok());
  EXPECT_EQ(worker.local_device_count, 3);
  EXPECT_THAT(worker.local_devices, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace lockstep::internal
