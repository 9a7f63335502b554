// Spec J-6, J-9, J-10 over several hosts.
#include <optional>
#include <string>
#include <vector>

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::optional<std::vector<GlobalDeviceId>> Devices(std::vector<int> ids) {
  std::vector<GlobalDeviceId> devices;
  for (int id : ids) devices.push_back(GlobalDeviceId(id));
  return devices;
}

Answer<SharedAxis> Resolve(
    SimulatedCluster& cluster, int worker, int64_t size,
    std::optional<std::vector<GlobalDeviceId>> devices = std::nullopt,
    const std::string& key = "f") {
  Answer<SharedAxis> answer;
  cluster.coordinator.ResolveAxis(cluster[worker].incarnation(),
                                  {key, "i", size, std::move(devices)},
                                  absl::ZeroDuration(), answer.done());
  return answer;
}

TEST(AxisResolution, WithoutDevicesTheWorldIsTheAxis) {
  auto cluster = SimulatedCluster::Joined(2, 4);
  auto a = Resolve(*cluster, 0, 4);
  EXPECT_FALSE(a.has_come());
  auto b = Resolve(*cluster, 1, 4);
  for (const auto& answer : {a, b}) {
    ASSERT_TRUE(answer.status().ok()) << answer.status();
    EXPECT_EQ((*answer.get())->global_axis_size, 8);
    EXPECT_EQ((*answer.get())->devices.size(), 8u);
  }
}

TEST(AxisResolution, AWrongSizeOnOneHostFailsAll) {
  for (int wrong : {3, 8}) {
    auto cluster = SimulatedCluster::Joined(2, 4);
    auto a = Resolve(*cluster, 0, 4);
    auto b = Resolve(*cluster, 1, wrong);
    for (const auto& answer : {a, b}) {
      EXPECT_EQ(answer.status().code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(answer.message(),
                  AllOf(HasSubstr("host 1 (b)"),
                        HasSubstr("axis size " + std::to_string(wrong)),
                        HasSubstr("4")));
    }
  }
}

TEST(AxisResolution, UnevenHosts) {
  CoordinatorOptions options;
  options.expected_hosts = 3;
  SimulatedCluster cluster(options);
  cluster.Join(SimulatedCluster::Info("a", 1, 4));
  cluster.Join(SimulatedCluster::Info("b", 2, 2));
  cluster.Join(SimulatedCluster::Info("c", 3, 2));
  Resolve(cluster, 0, 4);
  Resolve(cluster, 1, 2);
  auto c = Resolve(cluster, 2, 2);
  ASSERT_TRUE(c.status().ok());
  EXPECT_EQ((*c.get())->global_axis_size, 8);
}

TEST(AxisResolution, AListOfDevicesNeedsTheirHostsOnly) {
  auto cluster = SimulatedCluster::Joined(4, 2);
  auto a = Resolve(*cluster, 1, 2, Devices({2, 3, 4, 5}));
  auto b = Resolve(*cluster, 2, 2, Devices({2, 3, 4, 5}));
  ASSERT_TRUE(b.status().ok()) << b.status();
  EXPECT_EQ((*a.get())->global_axis_size, 4);
  EXPECT_THAT((*b.get())->devices,
              ElementsAre(GlobalDeviceId(2), GlobalDeviceId(3),
                          GlobalDeviceId(4), GlobalDeviceId(5)));
}

TEST(AxisResolution, AHostOutsideItsListIsToldAlone) {
  auto cluster = SimulatedCluster::Joined(4, 2);
  auto a = Resolve(*cluster, 1, 2, Devices({2, 3, 4, 5}));
  auto outsider = Resolve(*cluster, 0, 2, Devices({2, 3, 4, 5}));
  EXPECT_EQ(outsider.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_FALSE(a.has_come());
}

TEST(AxisResolution, AnEmptyListIsRefused) {
  auto cluster = SimulatedCluster::Joined(1, 2);
  auto a = Resolve(*cluster, 0, 2, Devices({}));
  EXPECT_EQ(a.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(a.message(), HasSubstr("devices"));
}

TEST(AxisResolution, RowsAndListedLocalDevicesMustMatch_OnAllHosts) {
  auto cluster = SimulatedCluster::Joined(2, 4);
  const auto all = Devices({0, 1, 2, 3, 4, 5, 6, 7});
  auto a = Resolve(*cluster, 0, 3, all);
  auto b = Resolve(*cluster, 1, 4, all);
  for (const auto& answer : {a, b}) {
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(answer.message(),
                AllOf(HasSubstr("host 0 (a)"), HasSubstr("3"), HasSubstr("4")));
  }
}

TEST(AxisResolution, DifferentListsFailAll_NamingEachHostsValue) {
  auto cluster = SimulatedCluster::Joined(2, 2);
  auto a = Resolve(*cluster, 0, 2, Devices({0, 1, 2, 3}));
  auto b = Resolve(*cluster, 1, 2, Devices({2, 3, 0, 1}));
  for (const auto& answer : {a, b}) {
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(answer.message(), AllOf(HasSubstr("host 0 (a): [0, 1, 2, 3]"),
                                        HasSubstr("host 1 (b): [2, 3, 0, 1]")));
  }
}

TEST(AxisResolution, ListAgainstNoList_DoesNotWaitForTheLate) {
  auto cluster = SimulatedCluster::Joined(3, 2);
  auto a = Resolve(*cluster, 0, 2, Devices({0, 1, 2, 3}));
  auto b = Resolve(*cluster, 1, 2);
  cluster->Pass(absl::Seconds(1));
  EXPECT_EQ(a.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(b.status(), a.status());
}

TEST(AxisResolution, DisjointListsUnderOneKeyRunSideBySide) {
  auto cluster = SimulatedCluster::Joined(2, 2);
  auto a = Resolve(*cluster, 0, 2, Devices({0, 1}));
  auto b = Resolve(*cluster, 1, 2, Devices({2, 3}));
  EXPECT_EQ((*a.get())->global_axis_size, 2);
  EXPECT_EQ((*b.get())->global_axis_size, 2);
}

TEST(AxisResolution, TheNthCallMeetsTheNthCall) {
  auto cluster = SimulatedCluster::Joined(2, 2);
  Resolve(*cluster, 0, 1);
  EXPECT_FALSE(Resolve(*cluster, 1, 2).status().ok());
  Resolve(*cluster, 0, 2);
  EXPECT_TRUE(Resolve(*cluster, 1, 2).status().ok());
}

TEST(AxisResolution, ADeathEndsIt) {
  auto cluster = SimulatedCluster::Joined(2, 2);
  auto a = Resolve(*cluster, 0, 2);
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  EXPECT_EQ(a.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(OriginOf(a.status())->id, HostId(1));
}

// Of a host that was cut off while another one died and came back: nobody will
// come to the call that it makes with the life that it knows.
TEST(AxisResolution, ACallWithALifeThatHasEndedIsRefused) {
  auto cluster = SimulatedCluster::Joined(2, 2);
  const Epoch before = (*cluster)[0].joined.get()->roster->epoch;
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  const TestWorker& again = cluster->Join(SimulatedCluster::Info("b", 22));
  const auto resolve = [&](Incarnation host, Epoch epoch) {
    AxisQuery query{"f", "i", 2, std::nullopt};
    query.epoch = epoch;
    Answer<SharedAxis> answer;
    cluster->coordinator.ResolveAxis(host, query, absl::ZeroDuration(),
                                     answer.done());
    return answer;
  };
  const auto stale = resolve((*cluster)[0].incarnation(), before);
  ASSERT_TRUE(stale.has_come());
  EXPECT_EQ(stale.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(OriginOf(stale.status())->incarnation, Incarnation(2));
  EXPECT_THAT(stale.message(), HasSubstr("host 1 (b)"));

  const Epoch now = again.joined.get()->roster->epoch;
  const auto a = resolve((*cluster)[0].incarnation(), now);
  EXPECT_FALSE(a.has_come());
  EXPECT_TRUE(resolve(again.incarnation(), now).status().ok());
  EXPECT_TRUE(a.status().ok());
}

}  // namespace
}  // namespace lockstep::internal
