#include "client/profile/profile_summary.h"

#include "client/profile/profile_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Optional;

constexpr absl::Duration kMicrosecond = absl::Microseconds(1);

// A byte a nanosecond, a flop a nanosecond.
LaunchLimits Limits() { return {1e9, 1e9, "copies", "products"}; }

TEST(ProfileSummaryTest, RowsAreSortedByTheirOwnTime) {
  const ProfileSummary summary = Summarize(TwoDevices(), Limits());
  std::vector<int32_t> order;
  for (const ThunkRow& row : summary.thunks) order.push_back(row.thunk);
  EXPECT_THAT(order, ElementsAre(2, 1, 0));
  EXPECT_EQ(summary.thunks[0].sum.self, 60 * kMicrosecond);
  EXPECT_EQ(summary.thunks[0].sum.count, 4);
  EXPECT_EQ(summary.thunks[2].sum.self, 20 * kMicrosecond);
  EXPECT_EQ(summary.thunks[2].total, 120 * kMicrosecond);
  EXPECT_EQ(summary.thunks[0].median, 15 * kMicrosecond);
}

TEST(ProfileSummaryTest, SharesAndWhatIsOutsideAddUpToTheLaunch) {
  const ProfileSummary summary = Summarize(TwoDevices(), Limits());
  EXPECT_EQ(summary.launch, 100 * kMicrosecond);
  EXPECT_EQ(summary.outside, 40 * kMicrosecond);
  double shares = absl::FDivDuration(summary.outside, summary.launch);
  for (const ThunkRow& row : summary.thunks) shares += row.sum.share;
  EXPECT_THAT(shares, DoubleEq(1));
  double kinds = absl::FDivDuration(summary.outside, summary.launch);
  for (const KindRow& row : summary.kinds) kinds += row.sum.share;
  EXPECT_THAT(kinds, DoubleEq(1));
}

TEST(ProfileSummaryTest, TheSlowerOfBytesAndFlopsIsTheLimit) {
  const ThunkRow fusion = Summarize(TwoDevices(), Limits()).thunks[1];
  // 10 us of bytes in 10 us, 1 us of flops.
  EXPECT_THAT(fusion.share_of_limit, Optional(DoubleEq(1)));
  EXPECT_THAT(fusion.sum.bytes_per_second(), DoubleEq(1e9));
  EXPECT_THAT(fusion.sum.flops_per_second(), DoubleEq(1e8));
  LaunchLimits slow = Limits();
  slow.flops_per_second = 1e7;
  EXPECT_THAT(Summarize(TwoDevices(), slow).thunks[1].share_of_limit,
              Optional(DoubleEq(10)));
}

TEST(ProfileSummaryTest, CollectivesAndLoopsHaveNoLimit) {
  const ProfileSummary summary = Summarize(TwoDevices(), Limits());
  EXPECT_EQ(summary.thunks[0].share_of_limit, std::nullopt);
  EXPECT_EQ(summary.thunks[2].share_of_limit, std::nullopt);
  EXPECT_EQ(summary.kinds[0].kind, "all_reduce");
  EXPECT_EQ(summary.kinds[0].share_of_limit, std::nullopt);
}

TEST(ProfileSummaryTest, WhoComesFirstWaitsForTheLast) {
  const LaunchProfile profile = TwoDevices();
  const auto waiting = WaitingTimes(profile);
  EXPECT_EQ(waiting[0][2], 5 * kMicrosecond);
  EXPECT_EQ(waiting[1][2], absl::ZeroDuration());
  EXPECT_EQ(waiting[0][4], absl::ZeroDuration());
  EXPECT_EQ(waiting[1][4], kMicrosecond);
  EXPECT_EQ(waiting[0][1], absl::ZeroDuration());
  EXPECT_EQ(Summarize(profile, Limits()).thunks[0].sum.waiting,
            6 * kMicrosecond);
}

TEST(ProfileSummaryTest, ThoseInOtherGroupsAreNotWaitedFor) {
  LaunchProfile profile = TwoDevices();
  for (DeviceProfile& device : profile.devices) {
    device.thunks[2].groups = {{1}, {0}};
  }
  EXPECT_EQ(WaitingTimes(profile)[0][2], absl::ZeroDuration());
}

TEST(ProfileSummaryTest, WhatRunsBesideIsNotPartOfTheLaunch) {
  LaunchProfile profile = TwoDevices();
  for (DeviceProfile& device : profile.devices) {
    device.thunks[2].is_beside = true;
    device.times[0].nested = 20 * kMicrosecond;
  }
  const ProfileSummary summary = Summarize(profile, Limits());
  EXPECT_EQ(summary.outside, 40 * kMicrosecond);
  EXPECT_EQ(summary.kinds.size(), 2u);
  EXPECT_EQ(summary.thunks.size(), 3u);
}

TEST(ProfileSummaryTest, WhatNeverRanHasNoRow) {
  LaunchProfile profile = TwoDevices();
  for (DeviceProfile& device : profile.devices) device.times[1] = {};
  EXPECT_EQ(Summarize(profile, Limits()).thunks.size(), 2u);
}

}  // namespace
}  // namespace lockstep::internal
