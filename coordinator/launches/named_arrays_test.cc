#include "coordinator/launches/named_arrays.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

ArrayDescription Rows(std::vector<int> devices) {
  ArrayDescription array;
  array.shard_shape = Shape(ElementType::kF32, {3});
  array.shape =
      Shape(ElementType::kF32, {static_cast<int64_t>(devices.size()), 3});
  for (int id : devices) array.devices.push_back(GlobalDeviceId(id));
  array.layout = RowsDescription{.dim = 0, .copies = 1};
  return array;
}

TEST(NamedArrays, ANameIsGivenOnceUnlessItIsReplaced) {
  NamedArrays arrays;
  NamedArrays::Entry entry{.array = Rows({0, 1}), .client = "trainer"};
  const auto first = arrays.Add("w", entry, false);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->handle.client, kNoClient);
  EXPECT_FALSE(first->replaced.has_value());
  arrays.Settle("w", *first);
  const auto again = arrays.Add("w", entry, false);
  EXPECT_EQ(again.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(again.status().message(),
              AllOf(HasSubstr("'w'"), HasSubstr(entry.array.shape.ToString()),
                    HasSubstr("client 'trainer'")));
  const auto replacing = arrays.Add("w", entry, true);
  ASSERT_TRUE(replacing.ok()) << replacing.status();
  ASSERT_TRUE(replacing->replaced.has_value());
  EXPECT_EQ(replacing->replaced->handle, first->handle);
  EXPECT_NE(replacing->handle, first->handle);
  EXPECT_EQ((*arrays.Find("w"))->handle, replacing->handle);
}

TEST(NamedArrays, WhatIsUndoneWasNotThere) {
  NamedArrays arrays;
  NamedArrays::Entry entry{.array = Rows({0, 1}), .client = "trainer"};
  const auto first = arrays.Add("w", entry, false);
  const auto busy = arrays.Add("w", entry, true);
  EXPECT_EQ(busy.status().code(), absl::StatusCode::kAborted);
  EXPECT_THAT(busy.status().message(),
              AllOf(HasSubstr("'w'"), HasSubstr("'trainer'")));
  EXPECT_TRUE(arrays.Undo("w", *first));
  EXPECT_FALSE(arrays.Find("w").ok());

  const auto second = arrays.Add("w", entry, false);
  arrays.Settle("w", *second);
  const auto third = arrays.Add("w", entry, true);
  EXPECT_TRUE(arrays.Undo("w", *third));
  EXPECT_EQ((*arrays.Find("w"))->handle, second->handle);
  // Removed meanwhile: the name stays free.
  const auto fourth = arrays.Add("w", entry, true);
  ASSERT_TRUE(arrays.Remove("w").ok());
  EXPECT_FALSE(arrays.Undo("w", *fourth));
  EXPECT_FALSE(arrays.Find("w").ok());
}

TEST(NamedArrays, UnknownNamesAreToldTheKnownOnes) {
  NamedArrays arrays;
  EXPECT_THAT(arrays.Find("w").status().message(),
              HasSubstr("no array of the cluster has the name 'w'"));
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(arrays.Add("w" + std::to_string(i), {}, false).ok());
  }
  const auto found = arrays.Find("x");
  EXPECT_EQ(found.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(found.status().message(),
              AllOf(HasSubstr("'x'"), HasSubstr("'w0', 'w1'"),
                    HasSubstr("and 2 more")));
  EXPECT_EQ(arrays.Remove("x").status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(arrays.Remove("w3").ok());
  EXPECT_FALSE(arrays.Find("w3").ok());
}

TEST(NamedArrays, NamesAreText) {
  EXPECT_TRUE(NamedArrays::CheckName("params/layer 0/größe").ok());
  EXPECT_FALSE(NamedArrays::CheckName("").ok());
  EXPECT_FALSE(NamedArrays::CheckName(std::string(1025, 'x')).ok());
  EXPECT_THAT(NamedArrays::CheckName("a\nb").message(), HasSubstr("a\\nb"));
  EXPECT_THAT(NamedArrays::CheckName("a\xff").message(),
              AllOf(HasSubstr("UTF-8"), HasSubstr("a\\377")));
}

class NamedArraysOfClusterTest : public ::testing::Test {
 protected:
  // In the lives of the hosts that joined first.
  static ArrayNaming Naming(const std::string& name, ArrayHandle handle,
                            std::vector<int> devices = {0, 3}) {
    return {name,
            handle,
            Rows(std::move(devices)),
            {Incarnation(1), Incarnation(2)}};
  }
  absl::Status Name(ArrayNaming naming) {
    Answer<Nothing> answer;
    cluster_->coordinator.NameArray(std::move(naming), answer.done());
    return answer.status();
  }
  absl::Status Name(const std::string& name, ArrayHandle handle,
                    bool replaces = false) {
    ArrayNaming naming = Naming(name, handle);
    naming.replaces = replaces;
    return Name(std::move(naming));
  }
  absl::StatusOr<NamedArray> Find(const std::string& name, ArrayHandle result) {
    Answer<NamedArray> answer;
    cluster_->coordinator.FindArray(name, result, answer.done());
    return answer.has_come() ? answer.get() : answer.status();
  }
  absl::Status Remove(const std::string& name) {
    Answer<Nothing> answer;
    cluster_->coordinator.RemoveArray(name, answer.done());
    return answer.status();
  }
  // "share 1.7 > 0.1", "delete 0.1", "close 1", of what host `i` was told.
  std::vector<std::string> Commands(int i) {
    const auto text = [](ArrayHandle handle) {
      return std::to_string(handle.client.value()) + "." +
             std::to_string(handle.number);
    };
    std::vector<std::string> texts;
    for (const Command& command : (*cluster_)[i].link->commands) {
      if (const auto* join = std::get_if<JoinArrays>(&command.action)) {
        texts.push_back("share " + text(join->parts[0].array) + " > " +
                        text(join->result));
      } else if (const auto* deleted =
                     std::get_if<DeleteArrays>(&command.action)) {
        texts.push_back("delete " + text(deleted->arrays[0]));
      } else {
        texts.push_back("other");
      }
    }
    return texts;
  }

  std::unique_ptr<SimulatedCluster> cluster_ = SimulatedCluster::Joined(2);
  std::shared_ptr<TestClientLink> link_ = std::make_shared<TestClientLink>();
  const ClientId a_ = cluster_->coordinator.OpenClient("a", link_);
  const ClientId b_ = cluster_->coordinator.OpenClient("b", link_);
};

TEST_F(NamedArraysOfClusterTest, HostsShareWhatIsNamedAndFound) {
  ASSERT_TRUE(Name("w", {a_, 7}).ok());
  const auto found = Find("w", {b_, 1});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->array, Rows({0, 3}));
  EXPECT_EQ(found->client, "a");
  ASSERT_TRUE(Name("w", {a_, 8}, /*replaces=*/true).ok());
  ASSERT_TRUE(Remove("w").ok());
  EXPECT_THAT(Commands(1),
              ElementsAre("share 1.7 > 0.1", "share 0.1 > 2.1",
                          "share 1.8 > 0.2", "delete 0.1", "delete 0.2"));
  EXPECT_EQ(Commands(0), Commands(1));
  EXPECT_EQ(Find("w", {b_, 2}).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(NamedArraysOfClusterTest, WhatCannotBeIsRefusedAndNoHostHears) {
  EXPECT_EQ(Name("w", {ClientId(9), 1}).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(Name("", {a_, 1}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Name(Naming("w", {a_, 1}, {0, 4})).message(),
              AllOf(HasSubstr("'w'"), HasSubstr("no device 4")));
  EXPECT_THAT(Name(Naming("w", {a_, 1}, {0, 0})).message(),
              HasSubstr("0 twice"));
  EXPECT_THAT(Name(Naming("w", {a_, 1}, {})).message(),
              HasSubstr("expected a device"));
  // Clients share and end what is their own.
  EXPECT_EQ(
      cluster_->coordinator.Submit(b_, JoinArrays{{{{a_, 1}, {}}}, {b_, 1}})
          .code(),
      absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(cluster_->coordinator.Submit(b_, CloseClient{a_}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Commands(0), ElementsAre());
}

TEST_F(NamedArraysOfClusterTest, NamesOutliveTheirClients) {
  ASSERT_TRUE(Name("w", {a_, 7}).ok());
  cluster_->coordinator.CloseClient(a_);
  EXPECT_TRUE(Find("w", {b_, 1}).ok());
  const ArrayList list = cluster_->coordinator.ListArrays();
  ASSERT_EQ(list.names.size(), 1u);
  EXPECT_EQ(list.names[0].first, 1);
  EXPECT_EQ(list.names[0].second.name, "w");
  EXPECT_EQ(list.names[0].second.client, "a");
  ASSERT_EQ(list.clients.size(), 1u);
  EXPECT_EQ(list.clients[0].second, "b");
  ASSERT_EQ(list.hosts.size(), 2u);
  EXPECT_EQ(list.hosts[1].service_address, "b:1");
}

// Where a host takes up one command after the other, when it is told to.
class BusyClusterTest : public NamedArraysOfClusterTest {
 protected:
  BusyClusterTest() {
    CoordinatorOptions options;
    options.max_commands_in_flight = 1;
    cluster_ = SimulatedCluster::Joined(2, 2, options);
    trainer_ = cluster_->coordinator.OpenClient("trainer", link_);
    server_ = cluster_->coordinator.OpenClient("server", link_);
    // Is in flight from here on.
    Answer<Nothing> named;
    cluster_->coordinator.NameArray(Naming("w", {trainer_, 1}), named.done());
    EXPECT_TRUE(named.status().ok()) << named.status();
  }
  void Confirm(int host) {
    cluster_->coordinator.ReceivedCommands(
        (*cluster_)[host].incarnation(),
        (*cluster_)[host].link->commands.back().sequence);
  }
  void ConfirmAll() {
    for (int i = 0; i < 20; ++i) {
      Confirm(0);
      Confirm(1);
    }
  }

  ClientId trainer_, server_;
};

TEST_F(BusyClusterTest, AClientThatEndsMeanwhileLeavesNothing) {
  Answer<NamedArray> found;
  cluster_->coordinator.FindArray("w", {server_, 1}, found.done());
  Answer<Nothing> other;
  cluster_->coordinator.NameArray(Naming("v", {server_, 2}), other.done());
  EXPECT_FALSE(found.has_come());
  cluster_->coordinator.CloseClient(server_);
  ConfirmAll();
  EXPECT_TRUE(found.status().ok());
  EXPECT_EQ(other.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(Find("v", {trainer_, 9}).status().code(),
            absl::StatusCode::kNotFound);
  const std::vector<std::string> commands = Commands(0);
  EXPECT_THAT(commands,
              IsSupersetOf({"share 0.1 > 2.1", "delete 2.1", "delete 0.2"}));
  // In an order in which nothing is left.
  const auto at = [&](const std::string& text) {
    return std::find(commands.begin(), commands.end(), text);
  };
  EXPECT_LT(at("share 0.1 > 2.1"), at("delete 2.1"));
  EXPECT_LT(at("share 2.2 > 0.2"), at("delete 0.2"));
}

TEST_F(BusyClusterTest, WhoKeepsANameFromItsPlaceIsNamedInTime) {
  Confirm(0);
  ArrayNaming naming = Naming("w", {server_, 2});
  naming.replaces = true;
  Answer<Nothing> named;
  cluster_->coordinator.NameArray(naming, named.done());
  Answer<NamedArray> found;
  cluster_->coordinator.FindArray("w", {server_, 3}, found.done());
  cluster_->Pass(absl::Seconds(29));
  EXPECT_FALSE(named.has_come());
  EXPECT_FALSE(found.has_come());
  cluster_->Pass(absl::Seconds(2));
  for (const absl::Status& status : {named.status(), found.status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded) << status;
    EXPECT_THAT(status.message(),
                AllOf(HasSubstr("'w'"), HasSubstr("host 1 (b)"),
                      Not(HasSubstr("host 0"))));
  }
  // The name is that of the former array, and what came too late is gone.
  ConfirmAll();
  EXPECT_TRUE(Find("w", {trainer_, 9}).ok());
  ConfirmAll();
  const std::vector<std::string> commands = Commands(1);
  EXPECT_THAT(commands,
              IsSupersetOf({"share 1.1 > 0.1", "share 2.2 > 0.2", "delete 0.2",
                            "delete 2.3", "share 0.1 > 1.9"}));
  EXPECT_THAT(commands, Not(Contains("delete 0.1")));
}

TEST_F(BusyClusterTest, AHostThatIsLostMeanwhileUndoesTheChange) {
  ConfirmAll();
  ASSERT_TRUE(Name(Naming("v", {trainer_, 2}, {0})).ok());
  Confirm(0);
  ArrayNaming naming = Naming("v", {server_, 2});
  naming.replaces = true;
  Answer<Nothing> named;
  cluster_->coordinator.NameArray(Naming("u", {trainer_, 3}), named.done());
  EXPECT_TRUE(named.status().ok()) << named.status();
  // From here on host 1 takes up nothing.
  Confirm(0);
  Answer<Nothing> replaced;
  cluster_->coordinator.NameArray(naming, replaced.done());
  Answer<NamedArray> found;
  cluster_->coordinator.FindArray("w", {server_, 3}, found.done());
  EXPECT_FALSE(replaced.has_come());
  EXPECT_FALSE(found.has_come());
  (*cluster_)[1].is_reporting = false;
  cluster_->Pass(absl::Seconds(10));
  for (int i = 0; i < 20; ++i) Confirm(0);
  for (const absl::Status& status : {replaced.status(), found.status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(status.message(), HasSubstr("host 1 (b)"));
  }
  // What was to be replaced is whole, and has its name.
  EXPECT_TRUE(Find("v", {trainer_, 9}).ok());
  EXPECT_THAT(Commands(0), Not(Contains("delete 0.2")));
}

TEST_F(BusyClusterTest, ANameIsGivenByOneAtATime) {
  Answer<Nothing> first, second;
  cluster_->coordinator.NameArray(Naming("v", {trainer_, 2}), first.done());
  ArrayNaming naming = Naming("v", {server_, 2});
  naming.replaces = true;
  cluster_->coordinator.NameArray(naming, second.done());
  EXPECT_EQ(second.status().code(), absl::StatusCode::kAborted);
  EXPECT_FALSE(first.has_come());
  // Removed, which is answered at once, before it is there.
  EXPECT_TRUE(Remove("v").ok());
  ConfirmAll();
  EXPECT_TRUE(first.status().ok()) << first.status();
  EXPECT_THAT(Commands(0),
              ElementsAre("share 1.1 > 0.1", "share 1.2 > 0.2", "delete 0.2"));
}

TEST_F(BusyClusterTest, WhoWaitsHearsThatTheCoordinatorEnds) {
  Answer<NamedArray> found;
  cluster_->coordinator.FindArray("w", {server_, 1}, found.done());
  EXPECT_FALSE(found.has_come());
  cluster_->coordinator.Close();
  EXPECT_EQ(found.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Name("v", {server_, 2}).code(), absl::StatusCode::kUnavailable);
}

TEST_F(NamedArraysOfClusterTest, AHostThatDiesTakesItsPartAlong) {
  ASSERT_TRUE(Name("w", {a_, 7}).ok());
  (*cluster_)[1].is_reporting = false;
  cluster_->Pass(absl::Seconds(10));
  const auto found = Find("w", {b_, 1});
  EXPECT_EQ(found.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(found.status().message(),
              AllOf(HasSubstr("'w'"), HasSubstr("host 1 (b)")));
  EXPECT_FALSE(cluster_->coordinator.ListArrays().names[0].second.status.ok());
  // Its name can be given again, without a word about the one that is lost.
  const absl::Status again = Name(Naming("w", {a_, 8}, {0}));
  EXPECT_TRUE(again.ok()) << again;
  EXPECT_TRUE(Find("w", {b_, 2}).ok());
}

TEST_F(NamedArraysOfClusterTest, AHostInAnotherLifeHasNoPart) {
  ASSERT_TRUE(Name("w", {a_, 7}).ok());
  (*cluster_)[1].is_reporting = false;
  cluster_->Pass(absl::Seconds(10));
  cluster_->Join(SimulatedCluster::Info("b", 12));
  for (const absl::Status& status :
       {Find("w", {b_, 1}).status(), Name("v", {a_, 7})}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.message(),
                AllOf(HasSubstr("host 1 (b)"), HasSubstr("another life")));
  }
  ArrayNaming naming = Naming("w", {a_, 8});
  naming.lives[1] = Incarnation(12);
  const absl::Status again = Name(naming);
  EXPECT_TRUE(again.ok()) << again;
  const auto found = Find("w", {b_, 2});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_THAT(found->lives, ElementsAre(Incarnation(1), Incarnation(12)));
}

}  // namespace
}  // namespace lockstep::internal
