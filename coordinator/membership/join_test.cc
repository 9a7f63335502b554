// Spec M-17 (join) and M-26 (return of a host).
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/membership/host_assignment.h"
#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

CoordinatorOptions Expect(int hosts) {
  CoordinatorOptions options;
  options.expected_hosts = hosts;
  return options;
}

std::vector<int> IdsOf(const World& world, HostId host) {
  std::vector<int> ids;
  for (const Device& device : world.local(host))
    ids.push_back(device.id.value());
  return ids;
}

TEST(Join, AllGetTheirIdsAtOnceWhenTheLastOneIsThere) {
  SimulatedCluster cluster(Expect(2));
  TestWorker& b = cluster.Join(SimulatedCluster::Info("b", 1));
  EXPECT_FALSE(b.joined.has_come());
  TestWorker& a = cluster.Join(SimulatedCluster::Info("a", 2));
  ASSERT_TRUE(a.joined.status().ok());
  EXPECT_EQ(a.id(), HostId(0));
  EXPECT_EQ(b.id(), HostId(1));
  EXPECT_EQ(a.joined.get()->roster->members[1].host.name, "b");
}

TEST(Join, RequestedRanksFirst_TheRestByName) {
  SimulatedCluster cluster(Expect(4));
  WorkerInfo c = SimulatedCluster::Info("c", 1);
  c.requested_rank = 0;
  WorkerInfo d = SimulatedCluster::Info("d", 2);
  d.requested_rank = 2;
  TestWorker& b = cluster.Join(SimulatedCluster::Info("b", 3));
  TestWorker& c_host = cluster.Join(c);
  TestWorker& d_host = cluster.Join(d);
  TestWorker& a = cluster.Join(SimulatedCluster::Info("a", 4));
  EXPECT_EQ(c_host.id(), HostId(0));
  EXPECT_EQ(a.id(), HostId(1));
  EXPECT_EQ(d_host.id(), HostId(2));
  EXPECT_EQ(b.id(), HostId(3));
}

TEST(Join, HostsOfOneNetworkGroupAreNeighbours) {
  std::vector<WorkerInfo> workers;
  for (const char* name : {"a", "b", "c", "d"}) {
    workers.push_back(SimulatedCluster::Info(name, 1));
    workers.back().network_group = workers.size() % 2 == 1 ? "y" : "x";
  }
  EXPECT_THAT(AssignHostIds(workers), ElementsAre(1, 3, 0, 2));
}

TEST(Join, HostsWithoutANetworkGroupAreInThatOfTheirMachine) {
  std::vector<WorkerInfo> workers;
  for (const char* name : {"a", "b", "c"}) {
    workers.push_back(SimulatedCluster::Info(name, 1, 1));
    workers.back().machine = workers.size() == 2 ? "boot y" : "boot x";
  }
  // Of which the ids know nothing.
  EXPECT_THAT(AssignHostIds(workers), ElementsAre(0, 1, 2));
  const World world = BuildWorld(workers);
  EXPECT_EQ(world.devices()[0].network_group, "boot x");
  EXPECT_EQ(world.devices()[1].network_group, "boot y");
  EXPECT_EQ(world.devices()[2].network_group, "boot x");
  workers[0].network_group = "rack";
  EXPECT_EQ(BuildWorld(workers).devices()[0].network_group, "rack");
}

TEST(Join, DeviceIdsAreHostMajorAndDense) {
  SimulatedCluster cluster(Expect(3));
  cluster.Join(SimulatedCluster::Info("a", 1, 4));
  cluster.Join(SimulatedCluster::Info("b", 2, 2));
  TestWorker& c = cluster.Join(SimulatedCluster::Info("c", 3, 2));
  const World& world = c.joined.get()->roster->world;
  EXPECT_THAT(IdsOf(world, HostId(0)), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(IdsOf(world, HostId(1)), ElementsAre(4, 5));
  EXPECT_THAT(IdsOf(world, HostId(2)), ElementsAre(6, 7));
}

TEST(Join, WhileWaiting_TheRosterSaysWhoIsMissing) {
  CoordinatorOptions options = Expect(3);
  options.expected_names = {"a", "b", "gpu03"};
  SimulatedCluster cluster(options);
  TestWorker& a = cluster.Join(SimulatedCluster::Info("a", 1));
  cluster.Join(SimulatedCluster::Info("b", 2));
  ASSERT_FALSE(a.link->notices.empty());
  EXPECT_EQ(a.link->notices.back(),
            "2 of 3 hosts joined; missing: gpu03 (never seen)");
  EXPECT_EQ(cluster.coordinator.Status().notices.front(),
            a.link->notices.back());
}

TEST(Join, ARankAskedForTwiceNamesBothHosts) {
  SimulatedCluster cluster(Expect(3));
  WorkerInfo a = SimulatedCluster::Info("a", 1);
  a.requested_rank = 1;
  WorkerInfo b = SimulatedCluster::Info("b", 2);
  b.requested_rank = 1;
  cluster.Join(a);
  TestWorker& second = cluster.Join(b);
  EXPECT_EQ(second.joined.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(second.joined.message(),
              AllOf(HasSubstr("rank 1"), HasSubstr("'a'"), HasSubstr("'b'")));
  EXPECT_FALSE(cluster[0].joined.has_come());
}

TEST(Join, ARankOutOfRangeNamesBothNumbers) {
  SimulatedCluster cluster(Expect(2));
  WorkerInfo info = SimulatedCluster::Info("a", 1);
  info.requested_rank = 2;
  TestWorker& a = cluster.Join(info);
  EXPECT_EQ(a.joined.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(a.joined.message(),
              AllOf(HasSubstr("rank 2"), HasSubstr("2 hosts")));
}

TEST(Join, ANameInUseNamesBothAddressesAndIncarnations) {
  for (int expected : {1, 2}) {  // as a member, and as one who waits
    SimulatedCluster cluster(Expect(expected));
    cluster.Join(SimulatedCluster::Info("a", 0x11));
    TestWorker& twin = cluster.Join(SimulatedCluster::Info("a", 0x22));
    EXPECT_EQ(twin.joined.status().code(), absl::StatusCode::kAlreadyExists);
    EXPECT_THAT(
        twin.joined.message(),
        AllOf(HasSubstr("'a'"), HasSubstr("a:1, pid 1017"),
              HasSubstr("0000000000000011"), HasSubstr("0000000000000022")));
  }
}

TEST(Join, OneHostTooManyIsToldTheExpectedNumber) {
  SimulatedCluster cluster(Expect(1));
  cluster.Join(SimulatedCluster::Info("a", 1));
  TestWorker& b = cluster.Join(SimulatedCluster::Info("b", 2));
  EXPECT_EQ(b.joined.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(b.joined.message(),
              AllOf(HasSubstr("expects 1 hosts"), HasSubstr("'b'")));
}

TEST(Join, TheOddVersionIsRefusedWithATable_TheOthersWaitOn) {
  SimulatedCluster cluster(Expect(3));
  WorkerInfo old = SimulatedCluster::Info("a", 1);
  old.build = "0.9";
  TestWorker& a = cluster.Join(old);
  TestWorker& b = cluster.Join(SimulatedCluster::Info("b", 2));
  cluster.Join(SimulatedCluster::Info("c", 3));
  EXPECT_EQ(a.joined.status().code(), absl::StatusCode::kFailedPrecondition);
  const std::string protocol =
      absl::StrCat(", protocol ", kProtocolVersion, ", platform cpu: ");
  EXPECT_THAT(a.joined.message(),
              AllOf(HasSubstr(absl::StrCat("build 0.9", protocol, "a")),
                    HasSubstr(absl::StrCat("build 1.0", protocol, "b, c"))));
  EXPECT_FALSE(b.joined.has_come());
  cluster.Join(SimulatedCluster::Info("a", 4));
  EXPECT_TRUE(b.joined.status().ok());
}

TEST(Join, AnotherProtocolIsRefusedAtOnce) {
  SimulatedCluster cluster(Expect(2));
  WorkerInfo info = SimulatedCluster::Info("a", 1);
  info.protocol = kProtocolVersion + 1;
  EXPECT_EQ(cluster.Join(info).joined.status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(Join, AForeignClusterIdIsRefusedWithBothIds) {
  CoordinatorOptions options = Expect(1);
  options.cluster_id = "job 7";
  SimulatedCluster cluster(options);
  WorkerInfo info = SimulatedCluster::Info("a", 1);
  info.cluster_id = "job 8";
  TestWorker& a = cluster.Join(info);
  EXPECT_EQ(a.joined.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(a.joined.message(),
              AllOf(HasSubstr("job 7"), HasSubstr("job 8")));
}

TEST(Join, NetworkGroupsAreSetByAllOrNone) {
  SimulatedCluster cluster(Expect(3));
  TestWorker& a = cluster.Join(SimulatedCluster::Info("a", 1));
  WorkerInfo with = SimulatedCluster::Info("b", 2);
  with.network_group = "rack1";
  TestWorker& b = cluster.Join(with);
  for (TestWorker* worker : {&a, &b}) {
    EXPECT_EQ(worker->joined.status().code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(worker->joined.message(), AllOf(HasSubstr("'b' sets 'rack1'"),
                                                HasSubstr("'a' sets none")));
  }
}

// Beside the coordinator, which it reaches on loopback, as the others of its
// machine do; hosts of other machines cannot reach it.
WorkerInfo OnLoopback(const std::string& name, uint64_t incarnation) {
  WorkerInfo info = SimulatedCluster::Info(name, incarnation);
  info.network = "first machine";
  info.is_on_loopback = true;
  return info;
}

TEST(Join, AHostOnLoopbackThatOthersCannotReachIsRefused) {
  for (const bool comes_first : {true, false}) {
    SimulatedCluster cluster(Expect(3));
    WorkerInfo elsewhere = SimulatedCluster::Info("b", 2);
    elsewhere.network = "second machine";
    if (!comes_first) cluster.Join(elsewhere);
    TestWorker& a = cluster.Join(OnLoopback("a", 1));
    if (comes_first) cluster.Join(elsewhere);
    EXPECT_EQ(a.joined.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(a.joined.message(), AllOf(HasSubstr("'a' is on loopback"),
                                          HasSubstr("'b' of another machine"),
                                          HasSubstr("--interface")));
    WorkerInfo mended = OnLoopback("a", 3);
    mended.is_on_loopback = false;
    cluster.Join(mended);
    WorkerInfo c = SimulatedCluster::Info("c", 4);
    c.network = "second machine";
    EXPECT_TRUE(cluster.Join(c).joined.status().ok());
  }
}

TEST(Join, HostsOfOneMachineMayAllBeOnLoopback) {
  SimulatedCluster cluster(Expect(2));
  cluster.Join(OnLoopback("a", 1));
  WorkerInfo b = OnLoopback("b", 2);
  b.is_on_loopback = false;
  EXPECT_TRUE(cluster.Join(b).joined.status().ok());
}

TEST(Join, AWrongNumberOfExpectedHostsNamesBoth) {
  SimulatedCluster cluster(Expect(2));
  WorkerInfo info = SimulatedCluster::Info("a", 1);
  info.expected_hosts = 3;
  TestWorker& a = cluster.Join(info);
  EXPECT_EQ(a.joined.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(a.joined.message(),
              AllOf(HasSubstr("expects 3"), HasSubstr("has 2")));
}

TEST(Join, WithoutAnExpectedNumber_TheLaunchersCountDecides) {
  SimulatedCluster cluster;
  WorkerInfo info = SimulatedCluster::Info("a", 1);
  info.expected_hosts = 2;
  TestWorker& a = cluster.Join(info);
  EXPECT_FALSE(a.joined.has_come());
  cluster.Join(SimulatedCluster::Info("b", 2));
  EXPECT_TRUE(a.joined.status().ok());
}

TEST(Join, APhysicalDeviceClaimedTwiceNamesBothWorkers) {
  SimulatedCluster cluster(Expect(2));
  WorkerInfo a = SimulatedCluster::Info("a", 1);
  a.devices[0].physical_id = "0000:3b:00.0";
  WorkerInfo b = SimulatedCluster::Info("b", 2);
  b.devices[1].physical_id = "0000:3b:00.0";
  cluster.Join(a);
  TestWorker& second = cluster.Join(b);
  EXPECT_EQ(second.joined.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(
      second.joined.message(),
      AllOf(HasSubstr("0000:3b:00.0"), HasSubstr("'a'"), HasSubstr("'b'")));
}

TEST(Join, AtTheDeadlineAllAreToldWhoIsMissing) {
  CoordinatorOptions options = Expect(3);
  options.join_deadline = absl::Seconds(10);
  SimulatedCluster cluster(options);
  TestWorker& a = cluster.Join(SimulatedCluster::Info("a", 1));
  cluster.Pass(absl::Seconds(5));
  TestWorker& b = cluster.Join(SimulatedCluster::Info("b", 2));
  cluster.Pass(absl::Seconds(4));
  EXPECT_FALSE(a.joined.has_come());
  cluster.Pass(absl::Seconds(1));
  for (TestWorker* worker : {&a, &b}) {
    EXPECT_EQ(worker->joined.status().code(),
              absl::StatusCode::kDeadlineExceeded);
    EXPECT_THAT(worker->joined.message(),
                AllOf(HasSubstr("2 of 3 hosts joined"),
                      HasSubstr("1 host never seen"), HasSubstr("10s")));
  }
}

TEST(Join, AHostThatVanishesWhileWaitingIsNamed) {
  SimulatedCluster cluster(Expect(3));
  TestWorker& a = cluster.Join(SimulatedCluster::Info("a", 1));
  cluster.Join(SimulatedCluster::Info("b", 2));
  cluster.coordinator.SetConnected(Incarnation(2), false);
  cluster.Pass(absl::Seconds(4));
  EXPECT_THAT(a.link->notices.back(),
              AllOf(HasSubstr("1 of 3 hosts joined"), HasSubstr("b (gone")));
  cluster.Join(SimulatedCluster::Info("b", 3));
  cluster.Join(SimulatedCluster::Info("c", 4));
  EXPECT_TRUE(a.joined.status().ok());
}

TEST(Join, AWorkerRestartedWhileWaitingReplacesItself) {
  SimulatedCluster cluster(Expect(2));
  cluster.Join(SimulatedCluster::Info("a", 1));
  cluster.coordinator.SetConnected(Incarnation(1), false);
  TestWorker& again = cluster.Join(SimulatedCluster::Info("a", 2));
  EXPECT_FALSE(again.joined.has_come());
  cluster.Join(SimulatedCluster::Info("b", 3));
  EXPECT_TRUE(again.joined.status().ok());
}

TEST(Return, AHostGetsItsIdsBackWithANewIncarnation) {
  auto cluster = SimulatedCluster::Joined(3);
  const Epoch before = (*cluster)[0].joined.get()->roster->epoch;
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  TestWorker& again = cluster->Join(SimulatedCluster::Info("b", 99));
  ASSERT_TRUE(again.joined.status().ok()) << again.joined.status();
  EXPECT_EQ(again.id(), HostId(1));
  EXPECT_THAT(IdsOf(again.joined.get()->roster->world, HostId(1)),
              ElementsAre(2, 3));
  // A death and a join.
  const Roster& roster = (*cluster)[0].link->rosters.back();
  EXPECT_EQ(roster.epoch.value(), before.value() + 2);
  EXPECT_EQ(roster.members[1].host.incarnation, Incarnation(99));
  EXPECT_EQ(roster.members[1].state, MemberState::kAlive);
}

TEST(Return, OtherDevicesAreRefusedWithBothLists) {
  auto cluster = SimulatedCluster::Joined(2, 2);
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  TestWorker& again = cluster->Join(SimulatedCluster::Info("b", 99, 3));
  EXPECT_EQ(again.joined.status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(again.joined.message(),
              AllOf(HasSubstr("cpu [2 x core]"), HasSubstr("cpu [3 x core]")));
}

TEST(Return, BeforeTheOldLifeIsDecided_TheNewOneWaits) {
  auto cluster = SimulatedCluster::Joined(2);
  (*cluster)[1].is_reporting = false;
  cluster->coordinator.SetConnected(Incarnation(2), false);
  TestWorker& again = cluster->Join(SimulatedCluster::Info("b", 99));
  cluster->Pass(absl::Seconds(1));
  EXPECT_FALSE(again.joined.has_come());
  cluster->Pass(absl::Seconds(3));
  ASSERT_TRUE(again.joined.status().ok()) << again.joined.status();
  EXPECT_EQ(again.id(), HostId(1));
}

TEST(Return, WhenTheOldLifeReconnects_TheTwinIsRefused) {
  auto cluster = SimulatedCluster::Joined(2);
  cluster->coordinator.SetConnected(Incarnation(2), false);
  TestWorker& twin = cluster->Join(SimulatedCluster::Info("b", 99));
  cluster->Pass(absl::Seconds(1));
  cluster->coordinator.SetConnected(Incarnation(2), true);
  EXPECT_EQ(twin.joined.status().code(), absl::StatusCode::kAlreadyExists);
}

TEST(Return, AStaleIncarnationIsRefusedNamingBoth) {
  auto cluster = SimulatedCluster::Joined(2);
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  cluster->Join(SimulatedCluster::Info("b", 0x99));
  Answer<std::string> value;
  cluster->coordinator.TryGet(Incarnation(2), "k", value.done());
  EXPECT_EQ(value.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(value.message(),
              AllOf(HasSubstr("0000000000000002"),
                    HasSubstr("0000000000000099"), HasSubstr("host 1 (b)")));
  TestWorker& stale = cluster->Join(SimulatedCluster::Info("b", 2));
  EXPECT_EQ(stale.joined.status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(Return, AnIncarnationOfNoClusterIsRefused) {
  auto cluster = SimulatedCluster::Joined(1);
  Answer<std::string> value;
  cluster->coordinator.TryGet(Incarnation(12345), "k", value.done());
  EXPECT_EQ(value.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(value.message(), HasSubstr("not of this cluster"));
}

TEST(Return, WhenNobodyIsAliveAClusterFormsAnew) {
  auto cluster = SimulatedCluster::Joined(2);
  for (int i : {0, 1}) (*cluster)[i].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  TestWorker& b = cluster->Join(SimulatedCluster::Info("b", 12, 5));
  EXPECT_FALSE(b.joined.has_come());
  cluster->Join(SimulatedCluster::Info("c", 13));
  ASSERT_TRUE(b.joined.status().ok());
  EXPECT_EQ(b.id(), HostId(0));
}

}  // namespace
}  // namespace lockstep::internal
