#include "client/cli/profile_report.h"

#include "client/profile/launch_profile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// One device of `thunks` fusions; the i-th took i + 1 us, of 100 us.
LaunchProfile Fusions(int thunks) {
  LaunchProfile profile;
  profile.program = "step";
  DeviceProfile& device = profile.devices.emplace_back();
  device.threads = 2;
  device.duration = absl::Microseconds(100);
  for (int i = 0; i < thunks; ++i) {
    ProfiledThunk& thunk = device.thunks.emplace_back();
    thunk.kind = "fusion of 2";
    thunk.ops = "add, tanh";
    thunk.location = "/a/b/step.py:1:2 (m.mlir:7:3)";
    thunk.bytes = 1000 * (i + 1);
    const absl::Duration took = absl::Microseconds(i + 1);
    device.times.push_back({1, took, absl::ZeroDuration(), took, took});
  }
  return profile;
}

LaunchLimits Limits() {
  return {2e9, 40e9, "copy of 16 MiB", "f32 product of 1024x1024"};
}

TEST(ProfileReportTest, LaunchKindsAndThunks) {
  EXPECT_EQ(ProfileReport(Fusions(1), Limits()),
            "profile of step: a launch of 100 us on 1 device of 2 threads;\n"
            "99 us of it outside of thunks. Limits of a device: 2.00 GB/s "
            "(copy of 16 MiB), 40.0 GFLOP/s (f32 product of 1024x1024)\n"
            "\n"
            "TIME  SHARE  COUNT  GB/S  GFLOP/S  OF LIMIT  KIND\n"
            "1 us  1.0 %  1      1.00  -        50 %      fusion\n"
            "\n"
            "TIME  SHARE  COUNT  MEDIAN  GB/S  GFLOP/S  OF LIMIT  THUNK       "
            "             LOCATION\n"
            "1 us  1.0 %  1      1 us    1.00  -        50 %      fusion of 2 "
            "(add, tanh)  step.py:1:2 (m.mlir:7:3)\n");
}

TEST(ProfileReportTest, TheRestIsOneLine) {
  const std::string report = ProfileReport(Fusions(23), Limits());
  EXPECT_THAT(report, HasSubstr("\n6 us  6.0 %  3 others\n"));
  EXPECT_THAT(ProfileReport(Fusions(20), Limits()), Not(HasSubstr("others")));
}

TEST(ProfileReportTest, SaysWhatIsNotInTheTrace) {
  LaunchProfile profile = Fusions(1);
  EXPECT_THAT(ProfileReport(profile, Limits()), Not(HasSubstr("trace")));
  profile.devices[0].events_left_out = 1;
  EXPECT_THAT(ProfileReport(profile, Limits()),
              HasSubstr("\n1 executions are in the sums and not in the trace, "
                        "which has the first 0\n"));
}

TEST(ProfileReportTest, WaitingIsShownWhereDevicesMeet) {
  LaunchProfile profile = Fusions(1);
  EXPECT_THAT(ProfileReport(profile, Limits()), Not(HasSubstr("WAITING")));
  profile.devices[0].thunks[0].groups = {{0}};
  EXPECT_THAT(ProfileReport(profile, Limits()), HasSubstr("WAITING"));
}

}  // namespace
}  // namespace lockstep::internal
