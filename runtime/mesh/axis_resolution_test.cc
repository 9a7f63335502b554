#include "runtime/mesh/axis_resolution.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<GlobalDeviceId> Ids(std::vector<int32_t> values) {
  std::vector<GlobalDeviceId> ids;
  for (int32_t value : values) ids.emplace_back(value);
  return ids;
}

AxisReport Report(int32_t host, int64_t axis_size,
                  PmapDevices devices = std::nullopt) {
  AxisReport report;
  report.host = HostId(host);
  report.host_name = absl::StrCat("gpu0", host);
  report.axis_size = axis_size;
  report.devices = std::move(devices);
  return report;
}

std::string Error(const absl::StatusOr<ResolvedAxis>& result,
                  absl::StatusCode code) {
  EXPECT_EQ(result.status().code(), code) << result.status();
  return std::string(result.status().message());
}

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kPrecondition = absl::StatusCode::kFailedPrecondition;

TEST(ResolveAxis, AllHostsWithoutDevicesGetTheWholeWorld) {
  const auto axis =
      ResolveAxis({Report(1, 4), Report(0, 4)}, World::HostMajor({4, 4}));
  ASSERT_TRUE(axis.ok()) << axis.status();
  EXPECT_EQ(axis->global_axis_size, 8);
  EXPECT_EQ(axis->num_replicas, 8);
  EXPECT_EQ(axis->assignment, Ids({0, 1, 2, 3, 4, 5, 6, 7}));

  const auto uneven = ResolveAxis({Report(0, 4), Report(1, 2), Report(2, 2)},
                                  World::HostMajor({4, 2, 2}));
  EXPECT_EQ(uneven->global_axis_size, 8);
}

TEST(ResolveAxis, OneHostMayUseFewerDevices) {
  const World world = World::HostMajor({8});
  EXPECT_EQ(ResolveAxis({Report(0, 5)}, world)->assignment,
            Ids({0, 1, 2, 3, 4}));
  AxisReport nested = Report(0, 4);
  nested.body_replicas = 2;
  const auto axis = ResolveAxis({nested}, world);
  EXPECT_EQ(axis->global_axis_size, 4);
  EXPECT_EQ(axis->num_replicas, 8);
}

// J-5: nothing runs for constants, however many rows there are.
TEST(ResolveAxis, UnknownReplicasAreLeftToWhoeverTraces) {
  AxisReport report = Report(0, 100);
  report.body_replicas.reset();
  const auto axis = ResolveAxis({report}, World::HostMajor({8}));
  ASSERT_TRUE(axis.ok()) << axis.status();
  EXPECT_EQ(axis->global_axis_size, 100);
  EXPECT_EQ(axis->assignment, Ids({0, 1, 2, 3, 4, 5, 6, 7}));
  // J-6 and J-10 need no body.
  AxisReport other = Report(1, 100);
  other.body_replicas.reset();
  EXPECT_EQ(
      ResolveAxis({report, other}, World::HostMajor({4, 4})).status().code(),
      kInvalid);
  report.devices = Ids({0, 1});
  EXPECT_EQ(ResolveAxis({report}, World::HostMajor({8})).status().code(),
            kInvalid);
}

TEST(ResolveAxis, ADeviceListIsTheAssignmentInItsOrder) {
  const PmapDevices devices = Ids({7, 0, 5, 2});
  const auto axis = ResolveAxis({Report(0, 2, devices), Report(1, 2, devices)},
                                World::HostMajor({4, 4}));
  EXPECT_EQ(axis->assignment, *devices);
  EXPECT_EQ(axis->global_axis_size, 4);

  const PmapDevices middle = Ids({2, 3, 4, 5});
  EXPECT_EQ(ResolveAxis({Report(1, 2, middle), Report(2, 2, middle)},
                        World::HostMajor({2, 2, 2, 2}))
                ->global_axis_size,
            4);
}

TEST(ResolveAxis, AWrongAxisSizeOnOneHostIsEverybodysErrorAndNamesThatHost) {
  const World world = World::HostMajor({4, 4});
  EXPECT_THAT(Error(ResolveAxis({Report(0, 4), Report(1, 3)}, world), kInvalid),
              AllOf(testing::StartsWith("host 1 (gpu01): pmap: axis size 3"),
                    HasSubstr("local devices, 4"), Not(HasSubstr("host 0"))));
  EXPECT_THAT(
      Error(ResolveAxis({Report(0, 8), Report(1, 8)}, world), kInvalid),
      testing::StartsWith("host 0 (gpu00), host 1 (gpu01): pmap: axis size 8"));
  EXPECT_THAT(Error(ResolveAxis({Report(0, 1), Report(1, 3)}, world), kInvalid),
              AllOf(HasSubstr("host 0 (gpu00): pmap: axis size 1 "),
                    HasSubstr("; host 1 (gpu01): pmap: axis size 3 ")));
}

TEST(ResolveAxis, TooFewRowsForTheDevicesOfOneHostNameThemAll) {
  const PmapDevices all = Ids({0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(Error(ResolveAxis({Report(0, 3, all), Report(1, 4, all)},
                              World::HostMajor({4, 4})),
                  kInvalid),
            "host 0 (gpu00): pmap: axis size 3, but devices has 4 devices of "
            "host 0: [0, 1, 2, 3]");
}

TEST(ResolveAxis, HostsThatDifferInDevicesAreNamedWithTheirValues) {
  const World world = World::HostMajor({2, 2, 2});
  EXPECT_EQ(
      Error(ResolveAxis(
                {Report(0, 2), Report(1, 2, Ids({0, 1, 2, 3})), Report(2, 2)},
                world),
            kPrecondition),
      "pmap: hosts differ in devices: host 0 (gpu00), host 2 (gpu02): none; "
      "host 1 (gpu01): [0, 1, 2, 3]");
  // The order matters.
  EXPECT_THAT(
      Error(ResolveAxis({Report(0, 1, Ids({0, 2})), Report(1, 1, Ids({2, 0}))},
                        world),
            kPrecondition),
      HasSubstr("host 1 (gpu01): [2, 0]"));
}

TEST(ResolveAxis, HostsThatDifferInTheBodyAreNamedWithTheirValues) {
  AxisReport other = Report(1, 2);
  other.body_replicas = 2;
  EXPECT_EQ(Error(ResolveAxis({Report(0, 2), other}, World::HostMajor({2, 2})),
                  kPrecondition),
            "pmap: hosts differ in the replicas that the mapped body needs: "
            "host 0 (gpu00): 1; host 1 (gpu01): 2");
}

TEST(ResolveAxis, EmptyUnknownAndForeignDevicesAreErrors) {
  const World world = World::HostMajor({2, 2});
  EXPECT_THAT(
      Error(ResolveAxis({Report(0, 2, Ids({})), Report(1, 2, Ids({}))}, world),
            kInvalid),
      HasSubstr("devices is empty"));
  EXPECT_THAT(Error(ResolveAxis({Report(0, 1, Ids({0, 9}))}, world), kInvalid),
              HasSubstr("device 9"));
  EXPECT_THAT(
      Error(ResolveAxis({Report(0, 1, Ids({2, 3}))}, world), kPrecondition),
      HasSubstr("no device of host 0, only of hosts [1]"));
  EXPECT_EQ(ResolveAxis({}, world).status().code(), kInvalid);
}

TEST(ResolveAxis, NestingOverSeveralHostsNeedsMoreDevices) {
  std::vector<AxisReport> reports = {Report(0, 4), Report(1, 4)};
  for (AxisReport& report : reports) report.body_replicas = 2;
  EXPECT_THAT(Error(ResolveAxis(reports, World::HostMajor({4, 4})), kInvalid),
              HasSubstr("16 replicas required, but only 8 devices available"));
}

// Of three hosts with two devices each; they agree most of the time.
std::vector<AxisReport> AnyReports(std::mt19937& random) {
  const std::vector<PmapDevices> lists = {std::nullopt, Ids({0, 1, 2, 3, 4, 5}),
                                          Ids({1, 0, 2, 4}), Ids({0, 2, 9})};
  const size_t common = random() % 2 == 0 ? 0 : random() % lists.size();
  std::vector<AxisReport> reports;
  for (int32_t host = 0; host < 3; ++host) {
    const int64_t rows = random() % 16 == 0 ? 1 + random() % 3 : 2;
    const size_t list = random() % 16 == 0 ? random() % lists.size() : common;
    reports.push_back(Report(host, rows, lists[list]));
    if (random() % 16 == 0) reports.back().body_replicas = 2;
    if (random() % 16 == 0) reports.back().body_replicas.reset();
  }
  std::shuffle(reports.begin(), reports.end(), random);
  return reports;
}

TEST(CheckReport, FailsForSomeReportExactlyWhenResolvingAllFails) {
  const World world = World::HostMajor({2, 2, 2});
  std::mt19937 random(8);
  int failures = 0;
  constexpr int kRounds = 5000;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<AxisReport> reports = AnyReports(random);
    const bool all_pass = std::all_of(
        reports.begin(), reports.end(), [&](const AxisReport& report) {
          return CheckReport(report, reports.front(), world).ok();
        });
    const auto axis = ResolveAxis(reports, world);
    ASSERT_EQ(axis.ok(), all_pass) << axis.status();
    if (!all_pass) ++failures;
  }
  EXPECT_GT(failures, kRounds / 10);
  EXPECT_LT(failures, kRounds * 9 / 10);
}

TEST(ResolveAxis, OfManyHostsOnlySomeAreNamed) {
  std::vector<AxisReport> reports;
  for (int32_t host = 0; host < 200; ++host) reports.push_back(Report(host, 2));
  EXPECT_THAT(
      Error(ResolveAxis(reports, World::HostMajor(std::vector<int>(200, 1))),
            kInvalid),
      AllOf(HasSubstr("and 190 more: pmap: axis size 2"),
            Not(HasSubstr("host 10 "))));
}

}  // namespace
}  // namespace lockstep::internal
