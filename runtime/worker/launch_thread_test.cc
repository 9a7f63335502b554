#include "runtime/worker/launch_thread.h"

#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep {
namespace {

using ::testing::HasSubstr;

TEST(LaunchThreadTest, FirstThreadKeepsTheRight) {
  LaunchThread launches;
  EXPECT_EQ(launches.Claim(), absl::OkStatus());
  absl::Status refused;
  std::thread other([&] { refused = launches.Claim(); });
  other.join();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(refused.message(), HasSubstr("thread "));
  EXPECT_EQ(launches.Claim(), absl::OkStatus());
}

TEST(LaunchThreadTest, RightIsFreeWhenItsThreadHasEnded) {
  LaunchThread launches;
  std::thread first([&] { EXPECT_EQ(launches.Claim(), absl::OkStatus()); });
  first.join();
  EXPECT_EQ(launches.Claim(), absl::OkStatus());
}

}  // namespace
}  // namespace lockstep
