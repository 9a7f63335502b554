// Links that are cut, each way or both, reset, lossy or slow: between workers,
// and between a worker and the coordinator. Each ends in an error that names
// who cannot reach whom, or goes on.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/network_fixture.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr absl::Duration kNamed = absl::Seconds(5);

class NetworkFaultsTest : public NetworkFixture {
 protected:
  static TestNetwork::Options Hosts(int hosts) {
    TestNetwork::Options options;
    options.machines = {"coordinator"};
    for (int i = 0; i < hosts; ++i) {
      options.machines.push_back(absl::StrCat("host", i));
    }
    return options;
  }

  // Waits until the coordinator's report speaks of no cut link.
  static void AwaitNoCut(ProcessCluster& cluster) {
    cluster.AwaitStatus("no cut link", [](const StatusReport& report) {
      for (const std::string& notice : report.notices) {
        if (absl::StartsWith(notice, "host 1 (worker-1) and")) return false;
      }
      return true;
    });
  }

  // The endless program ends in time, in the name of the pair.
  static void ExpectPairNamed(ChildProcess& run, absl::Time cut) {
    const CommandResult result = Finish(run);
    EXPECT_LT(absl::Now() - cut, kNamed);
    EXPECT_EQ(result.exit, ExitStatus{.code = 1}) << result.err;
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("ABORTED: ended by host 1 (worker-1)"),
                      HasSubstr("host 1 (worker-1) and host 2 (worker-2) "
                                "cannot reach each other since ")));
  }
};

TEST_F(NetworkFaultsTest, ACutLinkBetweenWorkersIsNamedAndOthersGoOn) {
  TestNetwork network(Hosts(3));
  ProcessCluster cluster(On(network, 3));
  ChildProcess run = StartEndless(cluster, 6);
  network.Cut("host1", "host2");
  network.Cut("host2", "host1");
  ExpectPairNamed(run, absl::Now());

  // It stays cut: at once.
  const absl::Time asked = absl::Now();
  const CommandResult again = RunSum(cluster, 6);
  EXPECT_LT(absl::Now() - asked, absl::Seconds(3));
  EXPECT_EQ(again.exit, ExitStatus{.code = 1});
  EXPECT_THAT(again.err, HasSubstr("host 1 (worker-1) and host 2 (worker-2) "
                                   "cannot reach each other"));
  ExpectSumWorks(cluster, 4);  // on hosts 0 and 1

  network.Heal();
  AwaitNoCut(cluster);
  ExpectSumWorks(cluster, 6);
}

TEST_F(NetworkFaultsTest, ALinkThatIsCutOneWayIsNamed) {
  TestNetwork network(Hosts(3));
  ProcessCluster cluster(On(network, 3));
  for (auto [from, to] : {std::pair("host1", "host2"), {"host2", "host1"}}) {
    ChildProcess run = StartEndless(cluster, 6);
    network.Cut(from, to);
    ExpectPairNamed(run, absl::Now());
    network.Heal();
    AwaitNoCut(cluster);
    ExpectSumWorks(cluster, 6);
  }
}

TEST_F(NetworkFaultsTest, AConnectionThatIsResetIsRebuilt) {
  TestNetwork network(Hosts(3));
  ProcessCluster cluster(On(network, 3));
  ExpectSumWorks(cluster, 6);
  for (int round = 0; round < 3; ++round) {
    network.Reset("host1", "host2");
    network.Reset("host2", "host1");
    absl::SleepFor(absl::Milliseconds(1500));  // both have tried
    network.Heal();
    ExpectSumWorks(cluster, 6);
  }
}

TEST_F(NetworkFaultsTest, AShortCutIsWaitedFor) {
  TestNetwork network(Hosts(3));
  ProcessCluster cluster(On(network, 3));
  network.Cut("host1", "host2");
  network.Cut("host2", "host1");
  ChildProcess run = StartLockstep(
      "lockstep run", RunArguments(cluster, SumProgram(6), 6), true);
  absl::SleepFor(absl::Seconds(1));  // less than what is named
  network.Heal();
  const CommandResult result = Finish(run);
  EXPECT_EQ(result.exit, ExitStatus()) << result.err;
}

TEST_F(NetworkFaultsTest, AWorkerCutOffFromTheCoordinatorIsSilent) {
  TestNetwork network(Hosts(3));
  ProcessCluster cluster(On(network, 3));
  ChildProcess run = StartEndless(cluster, 6);
  network.Cut("host2", "coordinator");
  const absl::Time cut = absl::Now();
  const CommandResult result = Finish(run);
  EXPECT_LT(absl::Now() - cut, kNamed);
  EXPECT_THAT(result.err, AllOf(HasSubstr("ABORTED"),
                                HasSubstr("host 2 (worker-2) is silent")));
  ExpectSumWorks(cluster, 4);
}

TEST_F(NetworkFaultsTest, AMachineWhoseLinkIsDownIsSilent) {
  TestNetwork network(Hosts(3));
  ProcessCluster cluster(On(network, 3));
  ChildProcess run = StartEndless(cluster, 6);
  network.SetLink("host2", false);
  const absl::Time cut = absl::Now();
  const CommandResult result = Finish(run);
  EXPECT_LT(absl::Now() - cut, kNamed);
  EXPECT_THAT(result.err, AllOf(HasSubstr("ABORTED"),
                                HasSubstr("host 2 (worker-2) is silent")));
  ExpectSumWorks(cluster, 4);

  // Its worker is refused when it is back; another life of it joins.
  network.SetLink("host2", true);
  EXPECT_TRUE(
      cluster.worker(2).AwaitExit(absl::Now() + absl::Seconds(30)).has_value());
  cluster.StartWorker(2);
  cluster.AwaitJoined(2);
  ExpectSumWorks(cluster, 6);
}

TEST_F(NetworkFaultsTest, OneOf20PacketsLostIsNoFault) {
  TestNetwork network(Hosts(3));
  for (int rank = -1; rank < 3; ++rank) network.LoseOneOf(20, MachineOf(rank));
  ProcessCluster cluster(On(network, 3));
  for (int round = 0; round < 3; ++round) ExpectSumWorks(cluster, 6);
}

}  // namespace
}  // namespace lockstep::internal
