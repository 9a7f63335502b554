#include "coordinator/launches/launch_order.h"

#include <string>
#include <vector>

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

LaunchProgram Launch(ClientId client, int64_t result) {
  return LaunchProgram{{client, 1}, {}, {{client, result}}};
}

LoadProgram Load(ClientId client, std::vector<int> devices) {
  LoadProgram load;
  load.program = {client, 1};
  std::vector<GlobalDeviceId> ids;
  for (int id : devices) ids.push_back(GlobalDeviceId(id));
  load.assignment =
      *DeviceAssignment::Create(static_cast<int32_t>(ids.size()), 1, ids);
  return load;
}

TEST(LaunchOrder, ClientsTakeTurnsWhileCommandsWait) {
  LaunchOrder order(1);
  for (int i = 0; i < 3; ++i) {
    order.Enqueue(ClientId(1), Launch(ClientId(1), i), {HostId(0)});
  }
  order.Enqueue(ClientId(2), Launch(ClientId(2), 0), {HostId(0)});
  order.Enqueue(ClientId(3), Launch(ClientId(3), 0), {HostId(0)});
  std::vector<int64_t> clients;
  while (auto placed = order.Next()) {
    clients.push_back(placed->client.value());
    EXPECT_FALSE(order.Next().has_value());
    order.Received(HostId(0), placed->command.sequence);
  }
  EXPECT_THAT(clients, ElementsAre(1, 2, 3, 1, 1));
}

TEST(LaunchOrder, ACommandIsInFlightUntilAllItsHostsHaveIt) {
  LaunchOrder order(1);
  order.Enqueue(ClientId(1), Launch(ClientId(1), 0), {HostId(0), HostId(1)});
  order.Enqueue(ClientId(1), Launch(ClientId(1), 1), {HostId(0), HostId(1)});
  EXPECT_EQ(order.Next()->command.sequence, 1);
  order.Received(HostId(0), 1);
  EXPECT_FALSE(order.Next().has_value());
  order.Lose(HostId(1));
  EXPECT_EQ(order.Next()->command.sequence, 2);
}

TEST(LaunchOrder, TheLimitIsThatOfEachHost) {
  LaunchOrder order(2);
  for (int host : {0, 1, 2, 0, 1}) {
    order.Enqueue(ClientId(1), Launch(ClientId(1), host), {HostId(host)});
  }
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(order.Next().has_value()) << i;
  EXPECT_FALSE(order.Next().has_value());
  order.Received(HostId(0), 4);
  EXPECT_TRUE(order.Next().has_value());
}

TEST(GlobalView, AllHostsGetTheCommandsOfAllClientsInOneOrder) {
  auto cluster = SimulatedCluster::Joined(2);
  auto link = std::make_shared<TestClientLink>();
  const ClientId x = cluster->coordinator.OpenClient("x", link);
  const ClientId y = cluster->coordinator.OpenClient("y", link);
  ASSERT_TRUE(cluster->coordinator.Submit(x, Load(x, {0, 1, 2, 3})).ok());
  ASSERT_TRUE(cluster->coordinator.Submit(y, Load(y, {2, 3})).ok());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(cluster->coordinator.Submit(x, Launch(x, 10 + i)).ok());
    ASSERT_TRUE(cluster->coordinator.Submit(y, Launch(y, 20 + i)).ok());
  }
  std::vector<int64_t> on_b;
  for (const Command& command : (*cluster)[1].link->commands) {
    on_b.push_back(command.sequence);
  }
  EXPECT_THAT(on_b, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  std::vector<int64_t> on_a;
  for (const Command& command : (*cluster)[0].link->commands) {
    on_a.push_back(command.sequence);
  }
  EXPECT_THAT(on_a, ElementsAre(1, 3, 5, 7));
}

TEST(GlobalView, CommandsWaitWhenWorkersDoNotReceive) {
  CoordinatorOptions options;
  options.max_commands_in_flight = 2;
  auto cluster = SimulatedCluster::Joined(1, 2, options);
  const ClientId x =
      cluster->coordinator.OpenClient("x", std::make_shared<TestClientLink>());
  ASSERT_TRUE(cluster->coordinator.Submit(x, Load(x, {0, 1})).ok());
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(cluster->coordinator.Submit(x, Launch(x, i)).ok());
  }
  EXPECT_EQ((*cluster)[0].link->commands.size(), 2u);
  cluster->coordinator.ReceivedCommands((*cluster)[0].incarnation(), 2);
  EXPECT_EQ((*cluster)[0].link->commands.size(), 4u);
}

TEST(GlobalView, BadCommandsAreRefused) {
  auto cluster = SimulatedCluster::Joined(1);
  const ClientId x =
      cluster->coordinator.OpenClient("x", std::make_shared<TestClientLink>());
  EXPECT_EQ(cluster->coordinator.Submit(x, Launch(x, 1)).code(),
            absl::StatusCode::kInvalidArgument);
  const absl::Status device = cluster->coordinator.Submit(x, Load(x, {0, 7}));
  EXPECT_EQ(device.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(device.message()), HasSubstr("no device 7"));
  EXPECT_EQ(cluster->coordinator.Submit(ClientId(99), Launch(x, 1)).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(
      cluster->coordinator.Submit(x, DeleteArrays{{{ClientId(99), 1}}}).code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(GlobalView, CommandsThatComeTogetherArePushedTogether) {
  auto cluster = SimulatedCluster::Joined(2);
  auto link = std::make_shared<TestClientLink>();
  const ClientId x = cluster->coordinator.OpenClient("x", link);
  std::vector<LaunchOrder::Action> actions = {Load(x, {0, 1, 2, 3})};
  for (int i = 0; i < 99; ++i) actions.push_back(Launch(x, i));
  cluster->coordinator.SubmitAll(x, std::move(actions));
  for (int i : {0, 1}) {
    EXPECT_EQ((*cluster)[i].link->commands.size(), 100u);
    EXPECT_EQ((*cluster)[i].link->command_pushes, 1);
  }
  EXPECT_EQ(link->placed, 100);
}

TEST(GlobalView, CommandsWithoutAPlaceAreNotCounted) {
  CoordinatorOptions options;
  options.max_commands_in_flight = 70;
  auto cluster = SimulatedCluster::Joined(1, 2, options);
  auto link = std::make_shared<TestClientLink>();
  const ClientId x = cluster->coordinator.OpenClient("x", link);
  std::vector<LaunchOrder::Action> actions = {Load(x, {0, 1})};
  for (int i = 0; i < 199; ++i) actions.push_back(Launch(x, i));
  cluster->coordinator.SubmitAll(x, std::move(actions));
  EXPECT_EQ(link->placed, 70);
  cluster->coordinator.ReceivedCommands((*cluster)[0].incarnation(), 70);
  EXPECT_EQ(link->placed, 140);
}

TEST(GlobalView, ARefusedLaunchIsToldWithTheReasonOfItsProgram) {
  auto cluster = SimulatedCluster::Joined(1);
  auto link = std::make_shared<TestClientLink>();
  const ClientId x = cluster->coordinator.OpenClient("x", link);
  cluster->coordinator.SubmitAll(
      x, {Launch(x, 5), Load(x, {0, 7}), Launch(x, 6), Load(x, {0, 1}),
          Launch(x, 7)});
  ASSERT_THAT(link->failed, ElementsAre(5, 6));
  EXPECT_THAT(std::string(link->statuses[0].message()),
              HasSubstr("program 1 has not been submitted"));
  EXPECT_THAT(std::string(link->statuses[1].message()),
              HasSubstr("no device 7"));
  EXPECT_EQ((*cluster)[0].link->commands.size(), 2u);
}

TEST(GlobalView, BeforeTheClusterIsCompleteNothingIsTaken) {
  CoordinatorOptions options;
  options.expected_hosts = 2;
  SimulatedCluster cluster(options);
  auto link = std::make_shared<TestClientLink>();
  const ClientId x = cluster.coordinator.OpenClient("x", link);
  const absl::Status status = cluster.coordinator.Submit(x, Load(x, {0}));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("0 of 2 hosts"));
  cluster.Join(SimulatedCluster::Info("a", 1));
  cluster.Join(SimulatedCluster::Info("b", 2));
  ASSERT_EQ(link->rosters.size(), 1u);
  EXPECT_EQ(link->rosters[0].world.device_count(), 4);
}

TEST(GlobalView, AClosedClientsThingsEndOnAllHosts) {
  auto cluster = SimulatedCluster::Joined(2);
  const ClientId x =
      cluster->coordinator.OpenClient("x", std::make_shared<TestClientLink>());
  cluster->coordinator.CloseClient(x);
  for (int i : {0, 1}) {
    ASSERT_EQ((*cluster)[i].link->commands.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<CloseClient>(
        (*cluster)[i].link->commands[0].action));
  }
}

// Two hosts of which some have the only launch fail.
struct FailedLaunch {
  FailedLaunch() {
    const ClientId x = cluster->coordinator.OpenClient("x", link);
    EXPECT_TRUE(cluster->coordinator.Submit(x, Load(x, {0, 1, 2, 3})).ok());
    EXPECT_TRUE(cluster->coordinator.Submit(x, Launch(x, 10)).ok());
  }
  void Report(Incarnation host, const absl::Status& status) {
    LaunchFailure failure;
    failure.launch = {5, LaunchNumber(1)};
    failure.program = "step";
    failure.participants = {HostId(0), HostId(1)};
    failure.status = status;
    failure.command = 2;
    cluster->coordinator.ReportLaunchFailure(host, failure);
  }
  std::unique_ptr<SimulatedCluster> cluster = SimulatedCluster::Joined(2);
  std::shared_ptr<TestClientLink> link = std::make_shared<TestClientLink>();
};

TEST(GlobalView, AFailedLaunchIsToldToItsClientOnce) {
  FailedLaunch launch;
  const absl::Status status = absl::InvalidArgumentError("shape");
  launch.Report(Incarnation(1), status);
  launch.Report(Incarnation(2), status);
  EXPECT_THAT(launch.link->failed, ElementsAre(10));
  EXPECT_EQ(launch.link->statuses[0],
            absl::InvalidArgumentError("host 0 (a): shape"));
}

TEST(GlobalView, AHostThatGivesUpIsNamedToTheClient) {
  FailedLaunch launch;
  launch.Report(Incarnation(2), absl::CancelledError("was asked to end"));
  ASSERT_THAT(launch.link->failed, ElementsAre(10));
  EXPECT_EQ(launch.link->statuses[0].code(), absl::StatusCode::kAborted);
  EXPECT_EQ(OriginOf(launch.link->statuses[0])->id, HostId(1));
}

TEST(GlobalView, ALaunchOnADeadHostFailsAtOnce) {
  auto cluster = SimulatedCluster::Joined(2);
  auto link = std::make_shared<TestClientLink>();
  const ClientId x = cluster->coordinator.OpenClient("x", link);
  ASSERT_TRUE(cluster->coordinator.Submit(x, Load(x, {0, 1, 2, 3})).ok());
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  EXPECT_EQ(link->failures.size(), 1u);
  ASSERT_TRUE(cluster->coordinator.Submit(x, Launch(x, 10)).ok());
  ASSERT_THAT(link->failed, ElementsAre(10));
  EXPECT_EQ(link->statuses[0].code(), absl::StatusCode::kAborted);
  EXPECT_EQ(OriginOf(link->statuses[0])->id, HostId(1));
}

}  // namespace
}  // namespace lockstep::internal
