#include "proto/id_runs.h"

#include <limits>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<HostId> Hosts(const std::vector<int32_t>& ids) {
  std::vector<HostId> hosts;
  for (int32_t id : ids) hosts.push_back(HostId(id));
  return hosts;
}

IdRuns RunsOf(const std::vector<HostId>& hosts) {
  IdRuns runs;
  AppendHosts(hosts, &runs);
  return runs;
}

TEST(IdRuns, ManyConsecutiveHostsAreTwoNumbers) {
  std::vector<HostId> hosts;
  for (int i = 0; i < 10000; ++i) hosts.push_back(HostId(i));
  EXPECT_THAT(RunsOf(hosts), ElementsAre(0, 10000));
  EXPECT_THAT(RunsOf(Hosts({0, 1, 2, 7, 9, 10})),
              ElementsAre(0, 3, 7, 1, 9, 2));
}

TEST(IdRuns, AnyListComesBack) {
  std::mt19937 random(3);
  for (int round = 0; round < 1000; ++round) {
    std::vector<HostId> hosts;
    for (int i = random() % 12; i > 0; --i) {
      hosts.push_back(HostId(static_cast<int32_t>(random() % 6) - 1));
    }
    EXPECT_EQ(HostsOf(RunsOf(hosts)), hosts);
  }
  constexpr int32_t kLast = std::numeric_limits<int32_t>::max();
  const auto extreme = Hosts({kLast - 1, kLast, -1, 0});
  EXPECT_EQ(HostsOf(RunsOf(extreme)), extreme);
}

TEST(IdRuns, DevicesInAnyOrderComeBack) {
  std::vector<GlobalDeviceId> devices;
  for (int i : {8, 9, 10, 0, 1, 2, 7, 6}) devices.push_back(GlobalDeviceId(i));
  IdRuns runs;
  AppendDevices(devices, &runs);
  EXPECT_THAT(runs, ElementsAre(8, 3, 0, 3, 7, 1, 6, 1));
  EXPECT_EQ(DevicesOf(runs), devices);
}

TEST(IdRuns, NonsenseEndsTheList) {
  const auto of = [](const std::vector<int32_t>& numbers) {
    IdRuns runs;
    for (int32_t number : numbers) runs.Add(number);
    return HostsOf(runs);
  };
  EXPECT_THAT(of({5}), IsEmpty());
  EXPECT_THAT(of({5, -1, 1, 1}), IsEmpty());
  EXPECT_THAT(of({3, 1, 0, std::numeric_limits<int32_t>::max()}),
              ElementsAre(HostId(3)));
  EXPECT_THAT(of({std::numeric_limits<int32_t>::max(), 2}), IsEmpty());
}

}  // namespace
}  // namespace lockstep::internal
