// Hosts on different machines: network namespaces joined by a bridge, or by a
// router between two subnets. Nothing but the coordinator's address is given.
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/network_fixture.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

constexpr char kHostProgram[] = "tests/multihost/pmap_host_program";

using NetworkTest = NetworkFixture;

TEST_F(NetworkTest, HostsOnOneBridgeWorkWithNothingSet) {
  TestNetwork network({.machines = {"coordinator", "host0", "host1"}});
  ProcessCluster cluster(On(network, 2));
  ExpectSumWorks(cluster, 4);
  const StatusReport report = cluster.AwaitStatus(
      "two hosts", [](const auto& report) { return report.hosts.size() == 2; });
  for (int rank : {0, 1}) {
    EXPECT_THAT(report.hosts[rank].address,
                HasSubstr(network.Address(MachineOf(rank))));
  }
}

TEST_F(NetworkTest, HostsOfSubnetsBehindARouterWorkWithNothingSet) {
  TestNetwork network({.machines = {"coordinator", "host0"},
                       .far_machines = {"host1", "host2"}});
  ProcessCluster cluster(On(network, 3));
  ExpectSumWorks(cluster, 6);
}

TEST_F(NetworkTest, ADelayOf50MillisecondsIsWaitedFor) {
  TestNetwork network({.machines = {"coordinator", "host0"},
                       .far_machines = {"host1"},
                       .delay = absl::Milliseconds(50)});
  ProcessCluster cluster(On(network, 2));
  ExpectSumWorks(cluster, 4);
}

TEST_F(NetworkTest, HostViewWorksWithTheCoordinatorsAddressAlone) {
  TestNetwork network(
      {.machines = {"coordinator", "host0"}, .far_machines = {"host1"}});
  ChildProcess coordinator = StartLockstep(
      "coordinator",
      {"coordinator", "--expected-hosts=2",
       absl::StrCat("--listen=", network.Address("coordinator"), ":0")},
      false, network.On("coordinator"));
  const auto address = coordinator.AwaitReady(absl::Now() + absl::Seconds(60));
  ASSERT_TRUE(address.ok()) << address.status();
  std::vector<ChildProcess> hosts;
  for (int rank : {0, 1}) {
    ChildProcess::Options options;
    options.name = MachineOf(rank);
    options.arguments = network.On(MachineOf(rank));
    options.arguments.insert(options.arguments.end(), {kHostProgram, "sum"});
    options.environment = {{"LOCKSTEP_COORDINATOR", *address},
                           {"LOCKSTEP_RANK", absl::StrCat(rank)},
                           {"LOCKSTEP_HOST_NAME", options.name},
                           {"LOCKSTEP_CPU_DEVICES", "2"}};
    options.captures_stdout = true;
    hosts.push_back(ChildProcess::Spawn(options).value());
  }
  EXPECT_THAT(Finish(hosts[0]).out, HasSubstr("[6 7]"));
  EXPECT_THAT(Finish(hosts[1]).out, HasSubstr("[8 9]"));
}

}  // namespace
}  // namespace lockstep::internal
